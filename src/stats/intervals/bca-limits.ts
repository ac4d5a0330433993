import { normalCdf } from "../distributions/normal-cdf.ts";
import { normalQuantile } from "../distributions/normal-quantile.ts";
import type { Side } from "../options.ts";
import { quantileInPlace } from "../resampling/quantile-in-place.ts";
import type { Limits } from "./percentile-limits.ts";
import { tailShares } from "./tail-shares.ts";

/** What bends a percentile interval into a BCa interval. */
export interface Bend {
  /** The bias correction. */
  z0: number;
  acceleration: number;
  level: number;
  side: Side;
}

/**
 * The bias-corrected and accelerated interval: percentiles moved to Φ(z0 + (z0 + z) / (1 − a (z0 + z))).
 * Null where the bend is so strong that the formula has no answer. Reorders `distribution`.
 * Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185, (3.9).
 */
export function bcaLimits(distribution: Float64Array, bend: Bend): Limits | null {
  const shares = tailShares(bend.level, bend.side);
  const low = shares.low === null ? null : bent(shares.low, bend);
  const high = shares.high === null ? null : bent(shares.high, bend);
  if (Number.isNaN(low) || Number.isNaN(high)) return null;
  return {
    low: low === null ? Number.NEGATIVE_INFINITY : quantileInPlace(distribution, low),
    high: high === null ? Number.POSITIVE_INFINITY : quantileInPlace(distribution, high),
  };
}

function bent(share: number, { z0, acceleration }: Bend): number {
  const z = z0 + normalQuantile(share);
  const stretch = 1 - acceleration * z;
  return stretch > 0 && Number.isFinite(z0) ? normalCdf(z0 + z / stretch) : Number.NaN;
}
