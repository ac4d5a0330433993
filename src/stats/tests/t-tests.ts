import { tCdf } from "../distributions/students-t.ts";
import { differences } from "../effects/differences.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { meanContrast } from "./mean-contrast.ts";
import { sidedP, type TestOptions, type TestResult } from "./p-value.ts";

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

/**
 * Welch's t test that two independent means are equal, whatever their spreads: the default for unpaired numbers.
 * `equalVariance` gives Student's test; do not choose it by a test of variances, which only adds errors.
 * Source: B. L. Welch, Biometrika 34 (1947), 28-35.
 */
export function welchTest(
  xs: Sample,
  ys: Sample,
  { side = "two-sided", equalVariance = false }: TestOptions & { equalVariance?: boolean } = {},
): Result<TestResult> {
  const contrast = meanContrast(xs, ys, { equalVariance });
  if (!contrast.known) return unknownBecause(contrast.why);
  const { difference, error, df } = contrast;
  const statistic = difference / error;
  const p = sidedP(tCdf(statistic, df), tCdf(-statistic, df), side);
  return known({ statistic, df, p, side, method: equalVariance ? "Student t" : "Welch t", cautions: [] });
}
