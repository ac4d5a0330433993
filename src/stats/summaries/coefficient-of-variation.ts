import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { moments } from "./moments.ts";

/**
 * The standard deviation relative to the size of the mean. It describes the runs; it does not say how well their
 * mean is known, and does not fall as runs are added, so it can't tell how many seeds are enough.
 */
export function coefficientOfVariation(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  const { mean, variance } = moments(xs);
  if (mean === 0) return unknownBecause("the mean is 0, and nothing is relative to 0");
  return known({ value: Math.sqrt(variance) / Math.abs(mean) });
}
