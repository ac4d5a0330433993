import { normalQuantile } from "../distributions/normal.ts";
import { tCdf } from "../distributions/students-t.ts";
import type { Interval } from "../intervals/interval.ts";
import { tLimits } from "../intervals/t-intervals.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { midranks } from "../summaries/ranks.ts";

/**
 * Pearson's correlation with Fisher's interval and the t test that it is zero: how much two arms, or two metrics,
 * move together over seeds; the higher between arms, the more pairing gains.
 * Source: R. A. Fisher, Biometrika 10 (1915) and Metron 1 (1921).
 */
export function correlation(
  xs: Sample,
  ys: Sample,
  { level = 0.95 }: { level?: number } = {},
): Result<Interval & { p: number }> {
  requireFraction(level, "level");
  const problem = pairProblem(xs, ys, 4, true);
  if (problem) return unknownBecause(problem);
  const a = moments(xs);
  const b = moments(ys);
  if (a.variance === 0 || b.variance === 0) return unknownBecause("the values of one sample are all equal");
  let shared = 0;
  for (let i = 0; i < a.n; i++) shared += (xs[i]! - a.mean) * (ys[i]! - b.mean);
  const r = Math.max(-1, Math.min(1, shared / ((a.n - 1) * Math.sqrt(a.variance * b.variance))));
  const t = r * Math.sqrt((a.n - 2) / Math.max(1e-300, 1 - r * r));
  const half = normalQuantile((1 + level) / 2) / Math.sqrt(a.n - 3);
  const low = Math.tanh(Math.atanh(r) - half);
  const high = Math.tanh(Math.atanh(r) + half);
  return known({
    estimate: r,
    low,
    high,
    level,
    side: "two-sided",
    method: "Pearson",
    cautions: [],
    p: 2 * tCdf(-Math.abs(t), a.n - 2),
  });
}

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

/**
 * b in y = a · x^b: the slope of a straight line through the logarithms, with the t interval of least squares. The
 * interval is about how well one power fits; it says nothing of sizes beyond those that were tried.
 * Source: N. R. Draper and H. Smith, Applied Regression Analysis, 3rd ed. (1998), section 1.4.
 */
export function growthExponent(
  xs: Sample,
  ys: Sample,
  { level = 0.95 }: { level?: number } = {},
): Result<Interval> {
  const problem = pairProblem(xs, ys, 3, true);
  if (problem) return unknownBecause(problem);
  const [lx, ly] = [Array.from(xs, Math.log), Array.from(ys, Math.log)];
  if (![...lx, ...ly].every(Number.isFinite)) return unknownBecause("a power needs values above zero");
  const [a, b] = [moments(lx), moments(ly)];
  if (a.variance === 0) return unknownBecause("all sizes are the same");
  const df = a.n - 2;
  let shared = 0;
  for (let i = 0; i < a.n; i++) shared += (lx[i]! - a.mean) * (ly[i]! - b.mean);
  const sxx = a.variance * (a.n - 1);
  const slope = shared / sxx;
  const rest = Math.max(0, b.variance * (a.n - 1) - slope * shared);
  const limits = tLimits(slope, Math.sqrt(rest / df / sxx), { df, level, side: "two-sided" });
  return known({ estimate: slope, ...limits, level, side: "two-sided", method: "log-log fit", cautions: [] });
}
