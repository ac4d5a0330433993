import { pointTable } from "../analysis/search/point-table.ts";
import { type BestOptions, type BestStudy, bestStudy } from "../api/best-study.ts";
import { countText, numberText, plural, rangeText } from "../core/number-text.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

interface BestCommand extends BestOptions {
  top?: number;
  json?: boolean;
}

const TOP = 5;
const MOST_IMPORTANCES = 6;

export async function best(name: string, { top, json, ...options }: BestCommand): Promise<void> {
  const study = await bestStudy(name, options);
  if (json) console.log(JSON.stringify(asJson(study, top)));
  else console.log(prose(bestLines(study, top).join("\n")));
}

/** The best points, what they are chosen from, and what to keep in mind. */
export function bestLines({ found, words, importance, file }: BestStudy, top?: number): string[] {
  const { bold, dim, yellow } = styleFor(process.stdout);
  const { counts, points, objectives, isFront, best } = found;
  const others = [
    ...[
      counts.failed > 0 && `${counts.failed} failed`,
      counts.stopped > 0 && `${counts.stopped} ended early`,
    ],
    ...[counts.missed > 0 && `${counts.missed} missed the constraints`],
    counts.unfinished > 0 && `${counts.unfinished} not done`,
  ].filter(Boolean);
  const goals = objectives.map(
    ({ metric, goal }) => `${metric} (${goal === "maximize" ? "more" : "less"} is better)`,
  );
  const head = `${bold(printable(file.name))}: ${plural(points.length, "point")}${others.length > 0 ? ` (${others.join(", ")})` : ""}, ${printable(goals.join(", "))}`;
  const lines = [head, "", printable(words.sentence)];
  if (best.length > 0) {
    const { header, rows } = pointTable(found, top ?? (isFront ? best.length : TOP));
    lines.push("", table(header, rows));
    if (best.length > rows.length)
      lines.push(dim(`and ${countText(best.length - rows.length)} more: --top ${best.length}`));
  }
  if (words.caution !== "") lines.push("", yellow(printable(words.caution)));
  if (words.method !== "") lines.push(dim(printable(words.method)));
  for (const { level, text } of found.warnings)
    lines.push((level === "warn" ? yellow : dim)(`note: ${printable(text)}`));
  if (best.length > 0) lines.push(...importanceLines(importance).map((line) => dim(printable(line))));
  return lines;
}

function importanceLines(importance: BestStudy["importance"]): string[] {
  if (!importance.known) return [`Which parameters matter is unknown, because ${importance.why}.`];
  const words = importance.parameters.slice(0, MOST_IMPORTANCES).map(({ name, share, interval }) => {
    const percent = (value: number) => 100 * value;
    if (!interval.known) return `${name} ${numberText(Math.round(percent(share)))} %`;
    const range = { value: percent(share), low: percent(interval.low), high: percent(interval.high) };
    return `${name} ${rangeText(range, { unit: " %" })}`;
  });
  return [
    `What matters, as a share of the variance: ${words.join("; ")} (permutation importance of a random forest that explains ${Math.max(0, Math.round(100 * importance.explained))} % of points that it has not seen; over the points tried).`,
  ];
}

function asJson({ file, studyDir, found, words, importance }: BestStudy, top = TOP) {
  const { best, isFront, chosenFrom, counts, objectives, points, optimism, warnings } = found;
  return {
    study: file.name,
    studyDir,
    objectives,
    points: points.length,
    counts,
    ...{ chosenFrom, isFront },
    ...words,
    best: best.slice(0, isFront ? undefined : top).map(({ units, intervals, ...point }, i) => ({
      rank: isFront ? 1 : i + 1,
      ...point,
      intervals: intervals.map((interval) =>
        interval.known
          ? { low: interval.low, high: interval.high, level: 0.95, method: interval.method }
          : { unknown: interval.why },
      ),
    })),
    optimism: optimism.known ? optimism : { unknown: optimism.why },
    importance: importance.known
      ? { explained: importance.explained, parameters: importance.parameters }
      : { unknown: importance.why },
    warnings,
  };
}
