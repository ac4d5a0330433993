import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { moments } from "./moments.ts";

/** The sample standard deviation (n − 1): how far runs lie apart. It does not shrink as more are added. */
export function standardDeviation(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  return known({ value: Math.sqrt(moments(xs).variance) });
}
