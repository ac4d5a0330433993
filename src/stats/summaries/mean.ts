import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { sum } from "./sum.ts";

/** The arithmetic mean: what an expected cost or score is estimated by, and what one wild run can drag anywhere. */
export function mean(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 1);
  if (problem) return unknownBecause(problem);
  return known({ value: sum(xs) / xs.length });
}
