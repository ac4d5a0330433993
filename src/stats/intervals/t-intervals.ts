import { tQuantile } from "../distributions/students-t.ts";
import { differences } from "../effects/differences.ts";
import { requireFraction, type Side } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { meanContrast } from "../tests/mean-contrast.ts";
import type { Limits } from "./bootstrap-limits.ts";
import { type Interval, type IntervalOptions, tailShares } from "./interval.ts";

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

/**
 * The t interval for the mean of x − y over pairs. Pairs by seed or task take out what the two arms share, which
 * is most of the variance where tasks differ much; average the rollouts within a task first.
 */
export function pairedInterval(xs: Sample, ys: Sample, options: IntervalOptions = {}): Result<Interval> {
  const problem = pairProblem(xs, ys, 2, true);
  return problem ? unknownBecause(problem) : tInterval(differences(xs, ys), options);
}

/**
 * Welch's interval for the difference of two independent means, x − y, with no assumption that they spread alike.
 * `equalVariance` gives Student's pooled interval, for comparison with old results only.
 * Source: B. L. Welch, Biometrika 34 (1947), 28-35; degrees of freedom: F. E. Satterthwaite (1946).
 */
export function welchInterval(
  xs: Sample,
  ys: Sample,
  options: IntervalOptions & { equalVariance?: boolean } = {},
): Result<Interval> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const { side = "two-sided", equalVariance = false } = options;
  const contrast = meanContrast(xs, ys, { equalVariance });
  if (!contrast.known) return unknownBecause(contrast.why);
  const { difference, error, df } = contrast;
  const limits = tLimits(difference, error, { df, level, side });
  return known({
    estimate: difference,
    ...limits,
    level,
    side,
    method: equalVariance ? "pooled t" : "Welch t",
    cautions: [],
  });
}
