import { tCdf, tQuantile } from "../distributions/students-t.ts";
import { requireFraction, type Side } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import type { Interval } from "./interval.ts";

/** Values, and beside each what was known of its unit before it was measured. */
export interface Adjustable {
  values: Sample;
  covariate: Sample;
}

export interface AdjustOptions {
  level?: number;
  side?: Side;
  /** The covariate of all units that it is known for, those that were measured among them. */
  reference: Sample;
}

export interface AdjustedDifference extends Interval {
  error: number;
  df: number;
  p: number;
  /** The share of the variance that the covariate took away; negative where it only cost. */
  saved: number;
}

/**
 * A mean of differences, or the difference of two independent means, adjusted for a covariate that was known before:
 * what the units at hand are easier or harder than those it is known for is taken out by a line fitted in each arm. The
 * reference is itself a draw, so of pairs that are all of the reference nothing is taken out, and nothing is gained.
 * Sources: W. G. Cochran, Sampling Techniques (1977), 12.6, on double sampling; W. Lin, Annals of Applied Statistics 7
 * (2013), 295-318, on one line per arm; A. Deng, Y. Xu, R. Kohavi, T. Walker, WSDM (2013), on its use in experiments.
 */
export function adjustedDifference(
  first: Adjustable,
  second: Adjustable | undefined,
  { level = 0.95, side = "two-sided", reference }: AdjustOptions,
): Result<AdjustedDifference> {
  requireFraction(level, "level");
  const all = moments(reference);
  if (all.variance === 0) return unknownBecause("the covariate is the same for all units");
  const arms = second ? [first, second] : [first];
  const lines = [];
  for (const arm of arms) {
    const line = covariateLine(arm, all.mean);
    if (typeof line === "string") return unknownBecause(line);
    lines.push(line);
  }
  const [a, b] = [lines[0]!, lines[1]];
  const ofReference = ((a.slope - (b?.slope ?? 0)) ** 2 * all.variance) / all.n;
  const own = lines.reduce((total, { variance }) => total + variance, 0);
  const variance = own + ofReference;
  if (variance === 0) return unknownBecause("nothing varies except by the covariate");
  const error = Math.sqrt(variance);
  const df =
    own === 0 ? a.df : own ** 2 / lines.reduce((total, line) => total + line.variance ** 2 / line.df, 0);
  const estimate = a.estimate - (b?.estimate ?? 0);
  const tail = side === "two-sided" ? (1 - level) / 2 : 1 - level;
  const width = -tQuantile(tail, df) * error;
  const [below, above] = [tCdf(estimate / error, df), tCdf(-estimate / error, df)];
  const plain = lines.reduce((total, line) => total + line.plain, 0);
  return known({
    ...{ estimate, error, df, level, side, cautions: [], method: second ? "Welch, adjusted" : "t, adjusted" },
    low: side === "less" ? Number.NEGATIVE_INFINITY : estimate - width,
    high: side === "greater" ? Number.POSITIVE_INFINITY : estimate + width,
    p: side === "greater" ? above : side === "less" ? below : 2 * Math.min(below, above),
    saved: plain === 0 ? 0 : 1 - variance / plain,
  });
}

/** How values depend on a covariate, and what is left of them. */
export interface CovariateLine {
  /** At the reference's mean. */
  estimate: number;
  slope: number;
  /** The variance of a value that the line leaves. */
  rest: number;
  /** Of the estimate, were the reference's mean exact. */
  variance: number;
  /** Of the mean as it is. */
  plain: number;
  df: number;
}

/** The line through an arm's values, or why there is none. */
export function covariateLine({ values, covariate }: Adjustable, at: number): CovariateLine | string {
  const n = values.length;
  if (n < 4) return `there are ${n} values, and a line with a spread needs at least 4`;
  const [y, x] = [moments(values), moments(covariate)];
  if (x.variance === 0) return "the covariate is the same for all units of an arm";
  const squares = (n - 1) * x.variance;
  let products = 0;
  for (let i = 0; i < n; i++) products += (covariate[i]! - x.mean) * (values[i]! - y.mean);
  const slope = products / squares;
  const rest = Math.max(0, (n - 1) * y.variance - slope * products) / (n - 2);
  return {
    ...{ slope, rest, df: n - 2, plain: y.variance / n },
    estimate: y.mean - slope * (x.mean - at),
    variance: rest * (1 / n + (x.mean - at) ** 2 / squares),
  };
}
