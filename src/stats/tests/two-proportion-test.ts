import { normalCdf } from "../distributions/normal.ts";
import { proportionProblem } from "../intervals/proportion-intervals.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { sidedP, type TestOptions, type TestResult } from "./p-value.ts";

/** Successes out of so many independent tries. */
export interface Proportion {
  successes: number;
  n: number;
}

/**
 * Pearson's chi-square test that two independent success rates are equal; the statistic is the signed root z, so
 * z² is the chi-square. For some five expected successes and failures an arm and more; below, Fisher's.
 */
export function twoProportionTest(
  first: Proportion,
  second: Proportion,
  { side = "two-sided", continuity = false }: TestOptions & { continuity?: boolean } = {},
): Result<TestResult> {
  const problem =
    proportionProblem(first.successes, first.n) ?? proportionProblem(second.successes, second.n);
  if (problem) return unknownBecause(problem);
  const pooled = (first.successes + second.successes) / (first.n + second.n);
  if (pooled === 0 || pooled === 1) return unknownBecause("all outcomes are the same");
  const invert = 1 / first.n + 1 / second.n;
  const difference = first.successes / first.n - second.successes / second.n;
  const step = continuity ? Math.min(0.5 * invert, Math.abs(difference)) : 0;
  const statistic = (difference - Math.sign(difference) * step) / Math.sqrt(pooled * (1 - pooled) * invert);
  const p = sidedP(normalCdf(statistic), normalCdf(-statistic), side);
  return known({ statistic, p, side, method: "two proportions, chi-square", cautions: [] });
}
