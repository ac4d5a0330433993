import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { centralMoment } from "./central-moment.ts";

/** Excess kurtosis g2 = m4 / m2² − 3, as scipy.stats.kurtosis: above 0 the tails are heavier than the normal's. */
export function kurtosis(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 4);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause("all values are equal and have no shape");
  return known({ value: centralMoment(xs, 4) / centralMoment(xs, 2) ** 2 - 3 });
}
