import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { findRoot } from "../special/find-root.ts";
import { completeDesign, type Design } from "./design.ts";
import { powerAt } from "./t-test-power.ts";

/** The smallest true difference that a t test with n runs an arm (or n pairs) finds with the power asked for. */
export function minimumDetectableEffect(n: number, power: number, design: Design = {}): Result<Value> {
  const complete = completeDesign(design);
  requireFraction(power, "power");
  if (!(n >= 2)) return unknownBecause(`a t test needs at least 2 runs, not ${n}`);
  const excess = (effect: number) => powerAt(effect, n, complete) - power;
  if (excess(0) >= 0)
    return unknownBecause(`a power of ${power} is what a test at ${complete.alpha} has without any effect`);
  let high = complete.sd;
  while (excess(high) < 0) high *= 2;
  return known({ value: findRoot(excess, 0, high) });
}
