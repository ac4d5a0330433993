import type { Side } from "../options.ts";
import { biasCorrection } from "../resampling/bias-correction.ts";
import { bcaLimits } from "./bca-limits.ts";
import { type Limits, percentileLimits } from "./percentile-limits.ts";

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
