import { incompleteBeta } from "../special/beta.ts";
import { chiScaleMean } from "../special/chi-scale-mean.ts";
import { findRoot } from "../special/find-root.ts";
import { normalCdf, normalQuantile } from "./normal.ts";

/**
 * P(T <= t) of Student's t with `df` degrees of freedom, accurate in both tails.
 * Source: DLMF 8.17(i); beyond 1e5 degrees of freedom, where the continued fraction loses digits, the normal
 * deviate that belongs to t after G. W. Hill, "Algorithm 395", Communications of the ACM 13 (1970), 617-619.
 */
export function tCdf(t: number, df: number): number {
  if (t === 0) return 0.5;
  if (df > 1e5) return normalCdf(Math.sign(t) * normalDeviate(t, df));
  const squared = t * t;
  if (squared === Number.POSITIVE_INFINITY) return t < 0 ? 0 : 1;
  const tail = 0.5 * incompleteBeta(df / (df + squared), df / 2, 0.5, squared / (df + squared));
  return t < 0 ? tail : 1 - tail;
}

function normalDeviate(t: number, df: number): number {
  if (df === Number.POSITIVE_INFINITY) return Math.abs(t);
  const a = df - 0.5;
  const b = 48 * a * a;
  const ww = a * Math.log1p((t / df) * t);
  const w = Math.sqrt(ww);
  const second = (ww * (ww * (4 * ww + 33) + 240) + 855) / (10 * b * (b + 0.8 * ww * ww + 100));
  return w + (w * (ww + 3)) / b - w * second;
}

/** The t with P(T <= t) = p: a root of the logarithm of the lower tail, so that tiny p keep their digits. */
export function tQuantile(p: number, df: number): number {
  if (!(df > 0)) return Number.NaN;
  if (p === 0.5) return 0;
  if (p > 0.5) return -tQuantile(1 - p, df);
  if (!(p > 0)) return p === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return normalQuantile(p);
  const target = Math.log(p);
  const excess = (t: number) => Math.log(tCdf(t, df)) - target;
  const high = normalQuantile(p);
  let low = 1.5 * high - 0.1;
  while (excess(low) > 0) low *= 4;
  return excess(high) <= 0 ? high : findRoot(excess, low, high);
}

/**
 * P(T <= t) for the noncentral t: T = (Z + shift) / S with S = sqrt(χ²/df). The law of a t statistic where
 * there is an effect, so what power rests on. Computed as the mean of Φ(t S − shift), which holds for any shift,
 * where the usual series (AS 243) underflows beyond about 37. Absolute error about 1e-12.
 * Source: N. L. Johnson, S. Kotz, N. Balakrishnan, Continuous Univariate Distributions 2 (1995), ch. 31.
 */
export function noncentralTCdf(t: number, df: number, shift: number): number {
  if (shift === 0) return tCdf(t, df);
  return chiScaleMean((s) => normalCdf(t * s - shift), df);
}
