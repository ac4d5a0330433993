import { tQuantile } from "../distributions/students-t.ts";
import type { Interval } from "../intervals/interval.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { type Moments, moments } from "../summaries/moments.ts";

export interface RatioOptions {
  paired?: boolean;
  level?: number;
  /**
   * How many standard errors below and above its estimate an interval for x − y reaches, instead of t's: the ratio then
   * leaves 1 out exactly where that interval leaves 0 out.
   */
  critical?: readonly [below: number, above: number];
}

/**
 * The ratio of two means, x / y, with Fieller's interval: "1.8 times as fast", with its uncertainty. It asks for
 * which ratios r the mean of x − r y could be zero, so it is exact for normal data and not symmetric about the
 * estimate. Declined where y's mean can't be told from zero, since then every ratio is possible.
 * Source: E. C. Fieller, JRSS B 16 (1954), 175-185; unpaired degrees of freedom after Welch.
 */
export function ratioOfMeans(
  xs: Sample,
  ys: Sample,
  { paired = false, level = 0.95, critical }: RatioOptions = {},
): Result<Interval> {
  requireFraction(level, "level");
  const problem = pairProblem(xs, ys, 2, paired);
  if (problem) return unknownBecause(problem);
  const a = moments(xs);
  const b = moments(ys);
  const va = a.variance / a.n;
  const vb = b.variance / b.n;
  if (va === 0 && vb === 0)
    return unknownBecause("each sample's values are all equal, so their spread says nothing");
  if (b.mean === 0) return unknownBecause("the second mean is 0, and nothing is a multiple of 0");
  const estimate = a.mean / b.mean;
  if (va + estimate ** 2 * vb === 0)
    return unknownBecause("all values of the first sample are 0, so the ratio has no spread");
  const shared = paired ? covariance(xs, ys, { a, b }) / a.n : 0;
  const t = () => tQuantile((1 + level) / 2, paired ? a.n - 1 : welchDf(va, estimate ** 2 * vb, { a, b }));
  const [below, above] = critical ?? [t(), t()];
  // Of a negative mean a larger multiple is a smaller value.
  const [low, high] = b.mean > 0 ? [below, above] : [above, below];
  const square = (c: number) => b.mean ** 2 - c * c * vb;
  if ([low, high].some((c) => Number.isFinite(c) && !(square(c) > 0)))
    return unknownBecause("the second mean can't be told from 0, so the ratio could be anything");
  const end = (c: number, sign: 1 | -1) => {
    if (!Number.isFinite(c)) return sign * Number.POSITIVE_INFINITY;
    const middle = a.mean * b.mean - c * c * shared;
    const root = Math.sqrt(Math.max(0, middle ** 2 - square(c) * (a.mean ** 2 - c * c * va)));
    return (middle + sign * root) / square(c);
  };
  return known({
    estimate,
    ...{ low: end(low, -1), high: end(high, 1) },
    ...{ level, side: "two-sided", method: "Fieller", cautions: [] },
  });
}

function covariance(xs: Sample, ys: Sample, { a, b }: { a: Moments; b: Moments }): number {
  let total = 0;
  for (let i = 0; i < xs.length; i++) total += (xs[i]! - a.mean) * (ys[i]! - b.mean);
  return total / (xs.length - 1);
}

function welchDf(va: number, vb: number, { a, b }: { a: Moments; b: Moments }): number {
  return (va + vb) ** 2 / (va ** 2 / (a.n - 1) + vb ** 2 / (b.n - 1));
}
