import type { Comparison } from "../../analysis/compare/comparison.ts";
import { ablationRatios } from "../../analysis/report/ablation.ts";
import { numberText, plural, rangeText } from "../../core/number-text.ts";
import { axisLabel, type MetricFacts, quantileFamilies, shortName } from "../../design/metric.ts";
import type { ForestCell, ForestChart, PairedChart } from "../../plots/chart.ts";
import { isYesOrNo } from "../result-tables.ts";
import type { ChartView } from "../study-view.ts";
import { type ChartContext, fileName, inReadableUnit, short } from "./chart-context.ts";

/** More pairs than this are a wall of lines. */
const MOST_PAIRS = 200;

/** All arms against the baseline: relative differences with their intervals. */
export function differencesOf({ comparisons, design, metric, study }: ChartContext): ChartView[] {
  if (comparisons.length < 2 || !metric) return [];
  const { baseline } = design;
  // Without a baseline the best arm is compared with each other one.
  const best = comparisons[0]!.candidate.name;
  const inOrder = design.arms.flatMap(({ name }) =>
    comparisons.filter((one) => (baseline === null ? one.baseline.name : one.candidate.name) === name),
  );
  const what = baseline === null ? `${best} against each` : `against ${baseline}`;
  const chart = forestOf(inOrder, {
    title: `${metric.name}: ${what} in ${study}`,
    xLabel: `difference of ${axisLabel(metric)}${baseline === null ? ` of ${best}` : ` against ${baseline}`}`,
    rows: inOrder.map((one) => (baseline === null ? one.baseline.name : one.candidate.name)),
  });
  return [{ id: fileName(`differences_by_${design.by.join("_")}`), ...chart }];
}

/** Comparisons of one metric as one forest: in percent of the baseline where all can be said so. */
export function forestOf(
  comparisons: readonly Comparison[],
  { title, xLabel, rows }: { title: string; xLabel: string; rows?: string[] },
): ForestChart {
  const isRate = comparisons.every(({ kind }) => kind === "rate");
  const isRelative = !isRate && comparisons.some(({ relative }) => relative.known);
  const isWider = new Set(comparisons.map(({ level }) => level)).size > 1 || comparisons[0]!.level > 0.95;
  const goals = new Set(comparisons.map(({ goal }) => goal));
  const goal = goals.size === 1 ? comparisons[0]!.goal : null;
  return {
    kind: "forest",
    title,
    subtitle: `${comparisons.every(({ pairing }) => pairing.isPaired) ? "Paired" : "Not all paired"}; ${goal === null ? "right of the line is more" : `${goal === "maximize" ? "right" : "left"} of the line is better`}`,
    // What is shown takes the place of the metric's own unit.
    xLabel:
      isRelative || isRate ? xLabel.replace(/ \([^)]*\)/, isRate ? " (points)" : " (% of its mean)") : xLabel,
    reference: 0,
    rows: rows ?? comparisons.map(({ candidate }) => candidate.name),
    panels: [{ title: "", cells: comparisons.map((one) => cellOf(one, { isRelative, isRate })) }],
    isShared: true,
    isPercent: isRelative || isRate,
    notes: [
      `Bar: 95 % confidence interval of each difference${isWider ? ", widened as p is adjusted" : ""} (${[...new Set(comparisons.flatMap(({ method }) => (method ? [method.name] : [])))].join("; ") || "none"}). Dashed line: no difference.`,
      "Green: better, orange: worse, after Holm's adjustment for all comparisons; grey: can't be told, or the study doesn't say which way is better.",
    ],
  };
}

function cellOf(
  { difference, relative, verdict }: Comparison,
  { isRelative, isRate }: { isRelative: boolean; isRate: boolean },
): ForestCell | { why: string } {
  const range = isRelative ? relative : difference;
  if (!range.known) return { why: range.why };
  const factor = isRelative || isRate ? 100 : 1;
  const unit = isRate ? " points" : isRelative ? " %" : "";
  const scaled = { value: range.value * factor, low: range.low * factor, high: range.high * factor };
  return {
    ...{ value: range.value, low: range.low, high: range.high },
    text: rangeText(scaled, { unit, signed: true }),
    verdict: verdict === "better" || verdict === "worse" ? verdict : "none",
  };
}

/** The pairs behind the answer, and their differences. */
export function pairedDifferences({ comparisons, metric, study }: ChartContext): ChartView[] {
  const [first] = comparisons;
  if (!first || !metric || isYesOrNo(first)) return [];
  const chart = pairsOf(first, { metric, where: ` in ${study}` });
  return chart ? [{ id: "paired_differences", ...chart }] : [];
}

/** Two arms pair by pair; null where they are not paired. */
export function pairsOf(
  one: Comparison,
  { metric, where }: { metric: MetricFacts; where: string },
): PairedChart | null {
  const { pairing, values, difference, baseline, candidate } = one;
  if (!pairing.isPaired || values.length < 2 || !difference.known) return null;
  const step = Math.ceil(values.length / MOST_PAIRS);
  const shown = values.filter((_, i) => i % step === 0);
  const { facts, factor } = inReadableUnit(
    metric,
    [baseline.mean ?? 0, candidate.mean ?? 0],
    one.kind === "rate",
  );
  const label = axisLabel(facts);
  const put = (value: number) => short(value * factor);
  // Of pairs of different sizes, ratios lie on one scale.
  const effect = one.scale === "ratio" && one.relative.known ? one.relative : difference;
  const isRatio = effect === one.relative;
  const gap = (value: number) => (isRatio ? short(100 * value) : put(value));
  return {
    ...{ kind: "paired", goal: one.goal },
    title: `${candidate.name} against ${baseline.name}: ${one.metric}${where}`,
    subtitle: `${pairing.n} pairs by ${pairing.keys.join(", ")}${step > 1 ? `; every ${step}th is drawn` : ""}`,
    yLabel: label,
    differenceLabel: isRatio
      ? `difference of ${facts.name} (% of ${baseline.name})`
      : `difference of ${label}`,
    ...(isRatio && { isRatio }),
    names: [baseline.name, candidate.name],
    pairs: shown.map((row) => ({
      name: row.label,
      first: put(row.baseline!),
      second: put(row.candidate!),
    })),
    difference: gap(effect.value),
    interval: [gap(effect.low), gap(effect.high)],
    notes: [
      `Bar: ${levelText(one.level)} confidence interval of the ${one.centre !== "mean" ? "trimmed " : ""}${isRatio ? "ratio of geometric means" : "mean difference"} (${one.method?.name ?? "unknown"}). Dots: one per pair. ${one.goal === null ? "The study doesn't say which way is better." : "Green: better, orange: worse."}`,
      ...lostPairs(one),
    ],
  };
}

/** `95 %`, `98.33 %`. */
function levelText(level: number): string {
  return level > 0.9999 ? "more than 99.99 %" : `${numberText(100 * level)} %`;
}

function lostPairs({ pairing: { left, noun }, baseline, candidate }: Comparison): string[] {
  const counts = [
    { name: baseline.name, n: left.baseline.length },
    { name: candidate.name, n: left.candidate.length },
  ].filter(({ n }) => n > 0);
  if (counts.length === 0) return [];
  const lost = counts.map(({ name, n }) => `${plural(n, noun)} of ${name}`).join(" and ");
  return [`Not drawn because they have no partner: ${lost}.`];
}

/** What each variant does to the arm that has them: its ratio to that arm's baseline (`ablation_deltas_full_p95_ratio`). */
export function ablationDeltas({ source, design, metric, metrics, study }: ChartContext): ChartView[] {
  if (!metric) return [];
  const tail = quantileFamilies(metrics.map(({ name }) => name))
    .find(({ members }) => members.some(({ name }) => name === metric.name))
    ?.members.find(({ quantile }) => quantile === "p95");
  const chosen = metrics.find(({ name }) => name === tail?.name) ?? metric;
  const found = ablationRatios(source, design, chosen);
  if (!found) return [];
  const { arm, baseline, variants, facets, unit } = found;
  const goal = chosen.goal;
  const chart: ForestChart = {
    kind: "forest",
    title: `What each variant changes${arm === null ? "" : ` in ${arm}`}: ${chosen.name} in ${study}`,
    subtitle: `Ratio to ${baseline} by the same ${unit}${goal === null ? "" : `; ${goal === "minimize" ? "below 1 is better: a part whose removal makes it worse pays off" : "above 1 is better"}`}`,
    xLabel: `ratio of ${axisLabel(chosen)} to ${baseline}`,
    reference: 1,
    rows: variants,
    panels: facets.map(({ name, ratios }) => ({
      title: name,
      cells: ratios.map(({ ratio, verdict }) => {
        if (!ratio.known) return { why: ratio.why };
        const { value, low, high } = ratio;
        return {
          ...{ value, low, high, text: rangeText({ value, low, high }) },
          verdict: verdict === "better" || verdict === "worse" ? verdict : "none",
        };
      }),
    })),
    isShared: true,
    notes: [
      `Bar: 95 % interval of the ratio, as \`assay compare\` has it by ${unit}, widened where several variants are judged. Dashed line: no change.${goal === null ? "" : " Green: surely better; orange: surely worse; grey: can't be told."}`,
    ],
  };
  const parts = ["ablation_deltas", ...(arm === null ? [] : [arm]), shortName(chosen.name), "ratio"];
  return [{ id: fileName(parts.join("_")), ...chart }];
}
