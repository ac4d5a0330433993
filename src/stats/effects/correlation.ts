import { normalQuantile } from "../distributions/normal-quantile.ts";
import { tCdf } from "../distributions/t-cdf.ts";
import type { Interval } from "../intervals/interval.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";

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
