import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { sum } from "./sum.ts";

/**
 * The mean without the lowest and the highest `proportion` of the values (counts rounded down, as scipy's
 * trim_mean and rliable): near the mean in efficiency, near the median in robustness.
 */
export function trimmedMean(xs: Sample, proportion: number): Result<Value> {
  requireFraction(2 * proportion, "twice the trimmed proportion");
  const problem = sampleProblem(xs, 1);
  if (problem) return unknownBecause(problem);
  const cut = Math.floor(proportion * xs.length);
  const kept = Float64Array.from(xs)
    .sort()
    .subarray(cut, xs.length - cut);
  return known({ value: sum(kept) / kept.length });
}
