import { tQuantile } from "../distributions/t-quantile.ts";
import { requireFraction, type Side } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import type { Limits } from "./percentile-limits.ts";
import { tailShares } from "./tail-shares.ts";

/**
 * Student's t interval for the mean of independent values; for paired data pass the differences. Exact for normal
 * data at any n; mild skewness washes out by n of about 20, while lognormal data at n = 5 get 82 % for 95 %.
 * Source: Student, "The probable error of a mean", Biometrika 6 (1908), 1-25.
 */
export function tInterval(xs: Sample, options: IntervalOptions = {}): Result<Interval> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const side = options.side ?? "two-sided";
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause(`all ${xs.length} values are equal, so their spread says nothing`);
  const { n, mean, variance } = moments(xs);
  const limits = tLimits(mean, Math.sqrt(variance / n), { df: n - 1, level, side });
  return known({ estimate: mean, ...limits, level, side, method: "t", cautions: [] });
}

/** estimate ± t · error, open at one end where the side says so. */
export function tLimits(
  estimate: number,
  error: number,
  { df, level, side }: { df: number; level: number; side: Side },
): Limits {
  const { low, high } = tailShares(level, side);
  return {
    low: low === null ? Number.NEGATIVE_INFINITY : estimate + tQuantile(low, df) * error,
    high: high === null ? Number.POSITIVE_INFINITY : estimate + tQuantile(high, df) * error,
  };
}
