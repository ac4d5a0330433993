import { incompleteBeta } from "../special/incomplete-beta.ts";
import { normalCdf } from "./normal-cdf.ts";

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
