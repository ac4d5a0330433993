import { tCdf } from "../distributions/t-cdf.ts";
import { differences } from "../effects/differences.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { sidedP } from "./sided-p.ts";
import type { TestOptions, TestResult } from "./test-result.ts";

/**
 * The paired t test that the mean of x − y is zero. Exact for normal differences, and robust beyond: what must be
 * near normal is the mean of the differences, not the values. Source: Student, Biometrika 6 (1908), 1-25.
 */
export function pairedTTest(
  xs: Sample,
  ys: Sample,
  { side = "two-sided" }: TestOptions = {},
): Result<TestResult> {
  const problem = pairProblem(xs, ys, 2, true);
  if (problem) return unknownBecause(problem);
  const d = differences(xs, ys);
  if (allEqual(d))
    return unknownBecause(`all ${d.length} differences are equal, so their spread says nothing`);
  const { n, mean, variance } = moments(d);
  const statistic = mean / Math.sqrt(variance / n);
  const p = sidedP(tCdf(statistic, n - 1), tCdf(-statistic, n - 1), side);
  return known({ statistic, df: n - 1, p, side, method: "paired t", cautions: [] });
}
