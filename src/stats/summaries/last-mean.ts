import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { sum } from "./sum.ts";

/** The mean of the last n values of a curve: where learning ended, with the noise of single evaluations averaged. */
export function lastMean(values: Sample, n: number): Result<Value> {
  const problem = sampleProblem(values, Math.max(1, n), "the curve");
  if (problem) return unknownBecause(problem);
  const last = Array.from(values).slice(-n);
  return known({ value: sum(last) / last.length });
}
