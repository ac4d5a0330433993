import type { Side } from "../options.ts";
import { quantileInPlace } from "../resampling/quantile-in-place.ts";
import { tailShares } from "./tail-shares.ts";

/** The two ends of an interval. */
export interface Limits {
  low: number;
  high: number;
}

/**
 * The percentile interval: the middle of the bootstrap distribution itself. Reorders `distribution`.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), ch. 13.
 */
export function percentileLimits(
  distribution: Float64Array,
  { level, side }: { level: number; side: Side },
): Limits {
  const { low, high } = tailShares(level, side);
  return {
    low: low === null ? Number.NEGATIVE_INFINITY : quantileInPlace(distribution, low),
    high: high === null ? Number.POSITIVE_INFINITY : quantileInPlace(distribution, high),
  };
}
