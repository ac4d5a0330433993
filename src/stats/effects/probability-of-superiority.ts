import { normalQuantile } from "../distributions/normal-quantile.ts";
import type { Interval } from "../intervals/interval.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { findRoot } from "../special/find-root.ts";
import { midranks } from "../summaries/ranks.ts";

/**
 * P(X > Y) + ½ P(X = Y): how often a run of the first arm beats one of the second; A12 of Vargha and Delaney.
 * The interval is a score interval, so it stays in [0, 1] and has a width even where one arm always wins.
 * Sources: A. Vargha and H. D. Delaney, J. Educ. Behav. Stat. 25 (2000); interval: R. G. Newcombe, Statistics in
 * Medicine 25 (2006), 559-573, method 5. O(n log n).
 */
export function probabilityOfSuperiority(
  xs: Sample,
  ys: Sample,
  { level = 0.95 }: { level?: number } = {},
): Result<Interval> {
  requireFraction(level, "level");
  const problem = pairProblem(xs, ys, 2);
  if (problem) return unknownBecause(problem);
  const m = xs.length;
  const n = ys.length;
  const { ranks } = midranks([...Array.from(xs), ...Array.from(ys)]);
  let rankSum = 0;
  for (let i = 0; i < m; i++) rankSum += ranks[i]!;
  const estimate = (rankSum - (m * (m + 1)) / 2) / (m * n);
  const zz = normalQuantile((1 + level) / 2) ** 2;
  const more = (m + n) / 2 - 1;
  const excess = (theta: number) => {
    const shape = 1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta));
    return (estimate - theta) ** 2 - (zz * theta * (1 - theta) * shape) / (m * n);
  };
  const low = estimate === 0 ? 0 : estimate === 1 ? inner(excess, 0.5, 1) : findRoot(excess, 0, estimate);
  const high = estimate === 1 ? 1 : estimate === 0 ? inner(excess, 0.5, 0) : findRoot(excess, estimate, 1);
  return known({ estimate, low, high, level, side: "two-sided", method: "Newcombe score", cautions: [] });
}

/** The root between the middle and an end at which the excess is zero as well. */
function inner(excess: (theta: number) => number, middle: number, end: 0 | 1): number {
  let away = middle;
  while (excess(away) < 0) away = (away + (1 - end)) / 2;
  const near = end === 0 ? 1e-12 : 1 - 1e-12;
  return excess(away) === 0 ? away : findRoot(excess, Math.min(away, near), Math.max(away, near));
}
