import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { moments } from "./moments.ts";

/** The unbiased sample variance: squared deviations from the mean over n − 1. */
export function variance(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  return known({ value: moments(xs).variance });
}
