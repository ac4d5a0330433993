import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { meanContrast } from "../tests/mean-contrast.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import { tLimits } from "./t-interval.ts";

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
