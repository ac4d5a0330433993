import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { midranks } from "../summaries/ranks.ts";
import { correlation } from "./correlation.ts";

/**
 * Spearman's rank correlation with the test that it is zero: whether two metrics, or a cheap and a dear benchmark,
 * put the arms in the same order. Exact over all orders up to 9 untied values, by Student's t beyond.
 * Source: C. Spearman, American Journal of Psychology 15 (1904), 72-101.
 */
export function rankCorrelation(xs: Sample, ys: Sample): Result<Value & { p: number }> {
  const problem = pairProblem(xs, ys, 4, true);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs) || allEqual(ys)) return unknownBecause("the values of one sample are all equal");
  const a = midranks(xs);
  const b = midranks(ys);
  const ranked = correlation(a.ranks, b.ranks);
  if (!ranked.known) return ranked;
  const n = xs.length;
  if (n > 9 || a.tieTerm + b.tieTerm > 0) return known({ value: ranked.estimate, p: ranked.p });
  const distance = a.ranks.reduce((total, rank, i) => total + (rank - b.ranks[i]!) ** 2, 0);
  return known({ value: ranked.estimate, p: exactP(n, distance) });
}

/** Twice the smaller share of the n! orders whose Σd² is at most, or at least, the observed. */
function exactP(n: number, distance: number): number {
  const order = Array.from({ length: n }, (_, i) => i);
  let below = 0;
  let above = 0;
  let all = 0;
  const place = (at: number, sum: number): void => {
    if (at === n) {
      all++;
      if (sum <= distance) below++;
      if (sum >= distance) above++;
    }
    for (let i = at; i < n; i++) {
      const held = order[i]!;
      order[i] = order[at]!;
      order[at] = held;
      place(at + 1, sum + (held - at) ** 2);
      order[at] = order[i]!;
      order[i] = held;
    }
  };
  place(0, 0);
  return Math.min(1, (2 * Math.min(below, above)) / all);
}
