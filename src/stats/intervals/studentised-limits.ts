import type { Side } from "../options.ts";
import { type Limits, percentileLimits } from "./percentile-limits.ts";

const MIRROR: Record<Side, Side> = { "two-sided": "two-sided", greater: "less", less: "greater" };

/**
 * The studentised (bootstrap-t) interval: the t table replaced by the resampled t values of these very data.
 * `deviations` are resampled estimates minus the estimate, `errors` their standard errors. A resample without
 * spread has no t value and is left out; null if that leaves fewer than half.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), 12.5.
 */
export function studentisedLimits(
  deviations: Float64Array,
  errors: Float64Array,
  { estimate, error, level, side }: { estimate: number; error: number; level: number; side: Side },
): Limits | null {
  const ts = new Float64Array(deviations.length);
  let kept = 0;
  for (let i = 0; i < ts.length; i++) if (errors[i]! > error * 1e-9) ts[kept++] = deviations[i]! / errors[i]!;
  if (kept < ts.length / 2) return null;
  const { low, high } = percentileLimits(ts.subarray(0, kept), { level, side: MIRROR[side] });
  return { low: estimate - high * error, high: estimate - low * error };
}
