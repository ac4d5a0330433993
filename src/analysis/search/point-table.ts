import { numberText } from "../../core/number-text.ts";
import type { SearchFindings } from "./analyse-search.ts";
import { paramWords } from "./search-words.ts";

/** The best points as a table of text: rank, name, each objective with its interval, how often, parameters. */
export function pointTable(
  { best, objectives, isFront, study, points }: SearchFindings,
  top: number,
): { header: string[]; rows: string[][] } {
  const varying = study.search.space.filter(
    ({ name, distribution }) =>
      distribution.kind !== "constant" && points.some(({ params }) => name in params),
  );
  const hasFailures = best.slice(0, top).some(({ runs }) => runs.failed > 0);
  const header = [
    ...(isFront ? [] : ["rank"]),
    "point",
    ...objectives.flatMap(({ metric }) => [metric, "95 % interval"]),
    // A parameter may be called n.
    varying.some(({ name }) => name === "n") ? `${best[0]?.unit ?? "seed"}s` : "n",
    ...(hasFailures ? ["failed"] : []),
    ...varying.map(({ name }) => name),
  ];
  const rows = best.slice(0, top).map(({ name, values, intervals, n, runs, params }, i) => [
    ...(isFront ? [] : [String(i + 1)]),
    name,
    ...values.flatMap((value, k) => {
      const interval = intervals[k]!;
      return [
        numberText(value),
        interval.known ? `${numberText(interval.low)} to ${numberText(interval.high)}` : "unknown",
      ];
    }),
    String(n),
    ...(hasFailures ? [String(runs.failed)] : []),
    ...varying.map((parameter) => paramWords(params[parameter.name])),
  ]);
  return { header, rows };
}
