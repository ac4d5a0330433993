import { tCdf } from "../distributions/t-cdf.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { meanContrast } from "./mean-contrast.ts";
import { sidedP } from "./sided-p.ts";
import type { TestOptions, TestResult } from "./test-result.ts";

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
