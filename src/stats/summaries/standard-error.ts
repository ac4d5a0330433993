import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "./moments.ts";

/**
 * The standard error of the mean, sd/√n, for independent values: how far the mean would move if all were run
 * again. Equal values give no answer: they say that the measurement is coarse, not that the mean is certain.
 */
export function standardError(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause(`all ${xs.length} values are equal, so their spread says nothing`);
  return known({ value: Math.sqrt(moments(xs).variance / xs.length) });
}
