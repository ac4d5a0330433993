import { fTail } from "../distributions/f.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { groupsProblem, type TestResult } from "./p-value.ts";

export interface AnovaResult extends TestResult {
  /** Degrees of freedom between and within groups. */
  df: number;
  dfWithin: number;
  meanSquareWithin: number;
}

/**
 * One-way analysis of variance: whether the means of several groups that spread alike are equal. It names no
 * winner; follow it by comparisons with an adjustment. Source: R. A. Fisher, Statistical Methods (1925).
 */
export function anovaTest(groups: readonly Sample[]): Result<AnovaResult> {
  const problem = groupsProblem(groups, 2);
  if (problem) return unknownBecause(problem);
  const parts = groups.map(moments);
  const n = parts.reduce((total, part) => total + part.n, 0);
  const grand = parts.reduce((total, part) => total + part.n * part.mean, 0) / n;
  const between = parts.reduce((total, part) => total + part.n * (part.mean - grand) ** 2, 0);
  const within = parts.reduce((total, part) => total + (part.n - 1) * part.variance, 0);
  if (within === 0)
    return unknownBecause(
      "the values within each group are all equal, so there is no spread to compare with",
    );
  const df = groups.length - 1;
  const dfWithin = n - groups.length;
  const statistic = between / df / (within / dfWithin);
  const p = fTail(statistic, df, dfWithin);
  return known({
    statistic,
    p,
    side: "two-sided",
    method: "one-way ANOVA",
    cautions: [],
    df,
    dfWithin,
    meanSquareWithin: within / dfWithin,
  });
}
