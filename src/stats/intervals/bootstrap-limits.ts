import { normalCdf, normalQuantile } from "../distributions/normal.ts";
import type { Side } from "../options.ts";
import { biasCorrection } from "../resampling/jackknife.ts";
import { quantileInPlace } from "../resampling/select.ts";
import { type IntervalOptions, tailShares } from "./interval.ts";

/** How a bootstrap distribution is turned into an interval. */
export type BootstrapMethod = "percentile" | "basic" | "bca" | "studentised";

/** What every bootstrap can be asked for. */
export interface BootstrapOptions extends IntervalOptions {
  /** 10,000 unless told: the ends then move by about 1 % of the width from seed to seed. */
  resamples?: number;
  /** The same seed gives the same interval, whatever else was drawn before. */
  seed?: number;
}

/** Below this many values percentile and BCa intervals cover clearly less than they say. */
const FEW = 20;

/** The sentences that go with a bootstrap of n values (or tasks). */
export function bootstrapCautions(n: number, method: BootstrapMethod, noun = "value"): string[] {
  if (n >= FEW || method === "studentised") return [];
  return [
    `with ${n} ${noun}s a ${method === "bca" ? "BCa" : method} interval covers less often than it says: below about ${FEW}, use t or the studentised bootstrap`,
  ];
}

/** What is needed to read an interval off a bootstrap distribution. */
export interface Reading {
  method: "percentile" | "basic" | "bca";
  estimate: number;
  /** The size of the data, against which rounding is measured. */
  scale: number;
  acceleration: () => number;
  level: number;
  side: Side;
}

const MIRROR: Record<Side, Side> = { "two-sided": "two-sided", greater: "less", less: "greater" };

/** Reads an interval off a bootstrap distribution, which it reorders; null where BCa has no answer. */
export function bootstrapLimits(distribution: Float64Array, reading: Reading): Limits | null {
  const { method, estimate, level, side } = reading;
  if (method === "percentile") return percentileLimits(distribution, { level, side });
  if (method === "basic") {
    const { low, high } = percentileLimits(distribution, { level, side: MIRROR[side] });
    return { low: 2 * estimate - high, high: 2 * estimate - low };
  }
  const z0 = biasCorrection(distribution, estimate, reading.scale);
  return bcaLimits(distribution, { z0, acceleration: reading.acceleration(), level, side });
}

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
