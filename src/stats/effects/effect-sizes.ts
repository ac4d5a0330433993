import { normalQuantile } from "../distributions/normal.ts";
import { noncentralTCdf } from "../distributions/students-t.ts";
import type { Interval, IntervalOptions } from "../intervals/interval.ts";
import { pairedInterval, welchInterval } from "../intervals/t-intervals.ts";
import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { findRoot } from "../special/find-root.ts";
import { lnGamma } from "../special/gamma.ts";
import { moments } from "../summaries/moments.ts";
import { midranks } from "../summaries/ranks.ts";
import { differences } from "./differences.ts";

/**
 * The difference of two means, x − y, in the metric's own unit, with its t interval: the effect that a reader can
 * weigh against what it costs. Paired by position if told, Welch's otherwise.
 */
export function meanDifference(
  xs: Sample,
  ys: Sample,
  { paired = false, ...options }: IntervalOptions & { paired?: boolean } = {},
): Result<Interval> {
  return paired ? pairedInterval(xs, ys, options) : welchInterval(xs, ys, options);
}

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

/**
 * The interval for Cohen's d (pooled, or of paired differences): the true effects for which the observed t would
 * be neither too large nor too small, from the noncentral t. Exact for normal data with equal spreads.
 * Source: G. Cumming and S. Finch, Educ. Psychol. Meas. 61 (2001), 532-574.
 */
export function cohensDInterval(
  xs: Sample,
  ys: Sample,
  { standardiser = "pooled", level = 0.95 }: { standardiser?: "pooled" | "differences"; level?: number } = {},
): Result<Interval> {
  requireFraction(level, "level");
  const d = cohensD(xs, ys, { standardiser });
  if (!d.known) return d;
  const perUnit =
    standardiser === "pooled" ? Math.sqrt(1 / (1 / xs.length + 1 / ys.length)) : Math.sqrt(xs.length);
  const t = d.value * perUnit;
  const shiftWith = (p: number) => {
    const excess = (shift: number) => noncentralTCdf(t, d.df, shift) - p;
    const reach = 10 + 2 * Math.abs(t);
    return findRoot(excess, t - reach, t + reach);
  };
  const low = shiftWith((1 + level) / 2) / perUnit;
  const high = shiftWith((1 - level) / 2) / perUnit;
  return known({
    estimate: d.value,
    low,
    high,
    level,
    side: "two-sided",
    method: "noncentral t",
    cautions: [],
  });
}

/**
 * Hedges' g: Cohen's d without its upward bias, which at ten runs an arm is 4 %. The exact factor, not its usual
 * approximation. Source: L. V. Hedges, Journal of Educational Statistics 6 (1981), 107-128.
 */
export function hedgesG(
  xs: Sample,
  ys: Sample,
  options: { standardiser?: Standardiser } = {},
): Result<StandardisedEffect> {
  const d = cohensD(xs, ys, options);
  if (!d.known) return d;
  if (d.df < 2) return unknownBecause("with one degree of freedom d has no unbiased form: run more");
  return known({ value: d.value * hedgesFactor(d.df), df: d.df });
}

/** Γ(df/2) / (sqrt(df/2) Γ((df − 1)/2)), which rises to 1. */
function hedgesFactor(df: number): number {
  return Math.exp(lnGamma(df / 2) - lnGamma((df - 1) / 2)) / Math.sqrt(df / 2);
}

/**
 * Cliff's delta: P(X > Y) − P(X < Y), from −1 to 1, which needs nothing but an order of the values.
 * Source: N. Cliff, Psychological Bulletin 114 (1993), 494-509; the interval is that of P(X > Y), rescaled.
 */
export function cliffsDelta(xs: Sample, ys: Sample, options: { level?: number } = {}): Result<Interval> {
  const superiority = probabilityOfSuperiority(xs, ys, options);
  if (!superiority.known) return superiority;
  const rescale = (p: number) => 2 * p - 1;
  const { estimate, low, high } = superiority;
  return known({ ...superiority, estimate: rescale(estimate), low: rescale(low), high: rescale(high) });
}

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
