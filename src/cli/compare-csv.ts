import type { Comparison } from "../analysis/compare/comparison.ts";
import { csvCell } from "../core/escape.ts";

/** One row a comparison. */
export function comparisonsCsv(comparisons: readonly Comparison[]): string {
  const header =
    "metric,part,baseline,candidate,paired,n,baseline_mean,candidate_mean,effect,ci_low,ci_high,relative,relative_ci_low,relative_ci_high,p,adjusted_p,method,verdict,needed_n";
  const rows = comparisons.map((one) => {
    const { difference: d, relative: r } = one;
    return [
      ...[one.metric, one.part, one.baseline.name, one.candidate.name, one.pairing.isPaired, one.pairing.n],
      ...[one.baseline.mean, one.candidate.mean],
      ...(d.known ? [d.value, d.low, d.high] : [null, null, null]),
      ...(r.known ? [r.value, r.low, r.high] : [null, null, null]),
      ...[one.p, one.adjustedP, one.method?.name, one.verdict, one.power?.neededN],
    ];
  });
  return lines(header, rows);
}

/**
 * One row per pair (or per run, where there are none) and one that sums up, in the columns of the pipeline that launches
 * control and candidate runs.
 */
export function pairsCsv(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ metric, pairing, values, baseline, candidate, difference: d }) => {
    const single = values.map((row) => {
      const { label, baseline: a, candidate: b } = row;
      if (pairing.isPaired) return ["pair", label, a, b, b! - a!, null, null];
      return a !== null
        ? ["control", label, a, null, null, null, null]
        : ["candidate", label, null, b, null, null, null];
    });
    const whole = d.known ? [d.value, d.low, d.high] : [null, null, null];
    return [...single, ["summary", metric, baseline.mean, candidate.mean, ...whole]];
  });
  return lines("group,label,value_or_control,candidate_value,effect,ci_low,ci_high", rows);
}

function lines(header: string, rows: unknown[][]): string {
  return `${[header, ...rows.map((row) => row.map(csvCell).join(","))].join("\n")}\n`;
}
