import type { Comparison } from "../analysis/compare/comparison.ts";
import { leftOutWords } from "../analysis/estimate-arm.ts";
import { axisEstimates, type FacetEstimate, facetEstimates } from "../analysis/facet-estimates.ts";
import { growthOf } from "../analysis/growth.ts";
import { countText, numberText } from "../core/number-text.ts";
import type { Design } from "../design/design.ts";
import { axisLabel, type MetricFacts } from "../design/metric.ts";
import type { TableView } from "./study-view.ts";

interface Result {
  design: Design;
  metric: MetricFacts;
  comparisons: readonly Comparison[];
}

/** What a benchmark calls its result: arms below each other, settings side by side, and how it grows with a size. */
export function resultTables(result: Result): TableView[] {
  return [byArm(result), growth(result)].flatMap((table) => (table ? [{ ...table, isResult: true }] : []));
}

function byArm({ design, metric, comparisons }: Result): TableView | undefined {
  const { x, facets, arms, by } = design;
  const isOver = x !== null && !by.includes(x);
  const { groups } = isOver ? axisEstimates(design, metric) : facetEstimates(design, metric);
  const columns = facets.flatMap((facet) =>
    isOver
      ? [...new Set(groups.map((group) => group.x!))].map((at) => ({
          title: [facet, `${x}=${numberText(at)}`].filter(Boolean).join(", "),
          isIts: (group: FacetEstimate) => group.facet === facet && group.x === at,
        }))
      : [
          {
            title: facet || axisLabel(metric),
            isIts: (group: FacetEstimate) => group.facet === facet,
          },
        ],
  );
  const ratios = new Map(comparisons.map((one) => [one.candidate.name, ratioText(one)]));
  const hasRatios = design.baseline !== null && ratios.size > 0;
  const rows = arms.map(({ name }) => [
    name,
    ...columns.map(({ isIts }) => estimateText(groups.find((group) => group.name === name && isIts(group)))),
    ...(hasRatios ? [name === design.baseline ? "1" : (ratios.get(name) ?? "unknown")] : []),
  ]);
  if (rows.length === 0) return undefined;
  return {
    title: `${axisLabel(metric)} by ${[...by, ...(isOver ? [x] : design.facetBy)].join(" and ")}`,
    note: `Mean over ${design.unit}s, and in brackets its 95 % interval.${leftOutWords(metric)}${hasRatios ? ` The last column says how many times as ${metric.goal === "maximize" ? "much" : "fast"} as ${design.baseline}, with the interval at which it was judged.` : ""}`,
    header: [
      by.join(", "),
      ...columns.map(({ title }) => title),
      ...(hasRatios ? [`against ${design.baseline}`] : []),
    ],
    rows,
  };
}

function estimateText(group: FacetEstimate | undefined): string {
  if (!group || group.mean === null) return "unknown";
  const { mean, interval } = group;
  return interval.known
    ? `${numberText(mean)} [${numberText(interval.low)}, ${numberText(interval.high)}]`
    : numberText(mean);
}

/** How many times as good as the baseline: of what should be small, the baseline's over the candidate's. */
function ratioText({ relative, goal }: Comparison): string {
  if (!relative.known) return "unknown";
  const { value, low, high } = relative;
  const [at, from, to] =
    goal === "minimize" ? [1 / (1 + value), 1 / (1 + high), 1 / (1 + low)] : [1 + value, 1 + low, 1 + high];
  return `${numberText(at, 3)} [${numberText(from, 3)}, ${numberText(to, 3)}]`;
}

function growth({ design, metric }: Result): TableView | undefined {
  const found = growthOf(design, metric);
  if (!found.some(({ exponent }) => exponent.known)) return undefined;
  const hasFacets = design.facets.length > 1;
  return {
    title: `How ${metric.name} grows with ${design.x}`,
    note: `The exponent b of ${metric.name} = a · ${design.x}^b, fitted to the logarithms of the means, with its 95 % interval: 0 does not grow, 1 doubles when ${design.x} doubles, 2 takes four times as much.`,
    header: [design.by.join(", "), ...(hasFacets ? [design.facetBy.join(", ")] : []), "exponent"],
    rows: found.map(({ arm, facet, exponent }) => [
      arm,
      ...(hasFacets ? [facet] : []),
      exponent.known
        ? `${numberText(exponent.estimate, 3)} [${numberText(exponent.low, 3)}, ${numberText(exponent.high, 3)}]`
        : `unknown: ${exponent.why}`,
    ]),
  };
}

/** A page shows so many pairs of arms; `assay compare` has all. */
const MOST_TABLES = 4;

/** Whether pairs have outcomes of yes and no alone: then a table says more than lines between two heights. */
export function isYesOrNo({ pairing, values }: Comparison): boolean {
  const isOne = (value: number | null) => value === 0 || value === 1;
  return (
    pairing.isPaired &&
    values.length > 1 &&
    values.every(({ baseline, candidate }) => isOne(baseline) && isOne(candidate))
  );
}

/** Paired outcomes of 0 and 1 as tables of two by two: what both did, and what only one of them did. */
export function outcomeTables(comparisons: readonly Comparison[]): TableView[] {
  return comparisons
    .filter(isYesOrNo)
    .slice(0, MOST_TABLES)
    .map(({ metric, baseline, candidate, values, pairing }) => {
      const [yes, no] = /solve|pass|correct|success/.test(metric) ? ["solved", "not solved"] : ["1", "0"];
      const count = (first: number, second: number) =>
        values.filter((pair) => pair.baseline === first && pair.candidate === second).length;
      const row = (name: string, first: number) => [
        `${baseline.name} ${name}`,
        ...[count(first, 1), count(first, 0), count(first, 1) + count(first, 0)].map((n) => countText(n)),
      ];
      return {
        title: `${candidate.name} against ${baseline.name}: ${metric}, pair by pair`,
        note: `${countText(values.length)} pairs by ${pairing.keys.join(", ")}. Only those in which the two differ tell which is better.`,
        header: ["pairs", `${candidate.name} ${yes}`, `${candidate.name} ${no}`, "all"],
        rows: [row(yes!, 1), row(no!, 0)],
      };
    });
}
