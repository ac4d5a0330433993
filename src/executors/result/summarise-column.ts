import type { ColumnSummary } from "../../core/result-file.ts";
import { tInterval } from "../../stats/intervals/t-intervals.ts";
import { moments } from "../../stats/summaries/moments.ts";
import { findOutliers, quantileOfSorted } from "../../stats/summaries/quantiles.ts";

/** Null where no value is known. */
export function summariseColumn(column: readonly (number | null)[]): ColumnSummary | null {
  const known = column.filter((value) => value !== null);
  if (known.length === 0) return null;
  const sorted = Float64Array.from(known).sort();
  const { mean, variance } = moments(known);
  const interval = tInterval(known);
  return {
    n: known.length,
    mean,
    p05: quantileOfSorted(sorted, 0.05),
    p25: quantileOfSorted(sorted, 0.25),
    p50: quantileOfSorted(sorted, 0.5),
    p95: quantileOfSorted(sorted, 0.95),
    p99: quantileOfSorted(sorted, 0.99),
    sd: known.length < 2 ? null : Math.sqrt(variance),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    low: interval.known ? interval.low : null,
    high: interval.known ? interval.high : null,
    outliers: known.length < 5 ? null : findOutliers(known).length,
  };
}
