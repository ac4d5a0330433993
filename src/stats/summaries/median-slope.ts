import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { quantileOfSorted } from "./quantile.ts";

/**
 * The slope of a sequence per step as the median of the slopes of all pairs: a few wild values do not turn it.
 * Source: P. K. Sen, J. Am. Stat. Assoc. 63 (1968), 1379-1389. O(n² log n).
 */
export function medianSlope(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  const n = xs.length;
  const slopes = new Float64Array((n * (n - 1)) / 2);
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) slopes[at++] = (xs[j]! - xs[i]!) / (j - i);
  }
  return known({ value: quantileOfSorted(slopes.sort(), 0.5) });
}
