import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { findRoot } from "../special/find-root.ts";
import { completeDesign, type Design } from "./design.ts";
import { powerAt } from "./t-test-power.ts";

/** How many runs an arm (or pairs) are needed: rounded up, and before rounding. */
export interface SampleSize {
  n: number;
  exact: number;
}

/** The n at which a t test finds a difference of `effect` with the power asked for; the inverse of tTestPower. */
export function sampleSize(effect: number, power: number, design: Design = {}): Result<SampleSize> {
  const complete = completeDesign(design);
  requireFraction(power, "power");
  if (!Number.isFinite(effect) || effect === 0) return unknownBecause("no n can find an effect of 0");
  const size = Math.abs(effect);
  const excess = (n: number) => powerAt(size, n, complete) - power;
  if (excess(2) >= 0) return known({ n: 2, exact: 2 });
  let high = 4;
  while (excess(high) < 0) {
    high *= 2;
    if (high > 1e9)
      return unknownBecause(`an effect of ${effect} is too small beside a spread of ${complete.sd}`);
  }
  const exact = findRoot(excess, high / 2, high);
  return known({ n: Math.ceil(exact - 1e-9), exact });
}
