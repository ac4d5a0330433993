import { normalQuantile } from "../distributions/normal.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { SampleSize } from "./t-test-power.ts";

/**
 * The tries in each of two arms at which success rates p1 and p2 are told apart, by the normal approximation.
 * Source: J. L. Fleiss, B. Levin, M. C. Paik, Statistical Methods for Rates and Proportions (2003), (4.14).
 */
export function sampleSizeForProportions(
  p1: number,
  p2: number,
  {
    power = 0.8,
    alpha = 0.05,
    side = "two-sided",
  }: { power?: number; alpha?: number; side?: "two-sided" | "one-sided" } = {},
): Result<SampleSize> {
  requireFraction(power, "power");
  requireFraction(alpha, "alpha");
  if (!(p1 >= 0 && p1 <= 1 && p2 >= 0 && p2 <= 1)) return unknownBecause("success rates lie between 0 and 1");
  if (p1 === p2) return unknownBecause("no n can find a difference of 0");
  const za = -normalQuantile(side === "two-sided" ? alpha / 2 : alpha);
  const zb = normalQuantile(power);
  const mean = (p1 + p2) / 2;
  const root = za * Math.sqrt(2 * mean * (1 - mean)) + zb * Math.sqrt(p1 * (1 - p1) + p2 * (1 - p2));
  const exact = (root / (p1 - p2)) ** 2;
  return known({ n: Math.max(1, Math.ceil(exact - 1e-9)), exact });
}
