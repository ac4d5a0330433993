import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { differences } from "./differences.ts";

/**
 * By which standard deviation a difference is measured: that of both samples pooled, the root of their mean
 * variance, that of the second sample alone (Glass's delta, the second being the baseline), or that of paired
 * differences (d_z, what a paired test sees).
 */
export type Standardiser = "pooled" | "average" | "second" | "differences";

export interface StandardisedEffect extends Value {
  /** The degrees of freedom of the standard deviation below the line. */
  df: number;
}

/**
 * Cohen's d: the mean difference x − y in standard deviations. Useful across metrics; for one metric its own unit
 * says more. Sources: J. Cohen, Statistical Power Analysis (1988), 2.2; D. Lakens, Front. Psychol. 4 (2013), 863.
 */
export function cohensD(
  xs: Sample,
  ys: Sample,
  { standardiser = "pooled" }: { standardiser?: Standardiser } = {},
): Result<StandardisedEffect> {
  const paired = standardiser === "differences";
  const problem = pairProblem(xs, ys, 2, paired);
  if (problem) return unknownBecause(problem);
  const a = moments(xs);
  const b = moments(ys);
  const df = a.n + b.n - 2;
  const [variance, freedom] = {
    pooled: () => [((a.n - 1) * a.variance + (b.n - 1) * b.variance) / df, df],
    average: () => [(a.variance + b.variance) / 2, df],
    second: () => [b.variance, b.n - 1],
    differences: () => [moments(differences(xs, ys)).variance, a.n - 1],
  }[standardiser]() as [number, number];
  if (variance === 0) return unknownBecause("the standard deviation to measure by is 0");
  return known({ value: (a.mean - b.mean) / Math.sqrt(variance), df: freedom });
}
