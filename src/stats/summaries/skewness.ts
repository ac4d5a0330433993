import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { centralMoment } from "./central-moment.ts";

/** Skewness g1 = m3 / m2^1.5, as scipy.stats.skew: above 0 the long tail is to the right, as of times and costs. */
export function skewness(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 3);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause("all values are equal and have no shape");
  return known({ value: centralMoment(xs, 3) / centralMoment(xs, 2) ** 1.5 });
}
