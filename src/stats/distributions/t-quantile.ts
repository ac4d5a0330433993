import { findRoot } from "../special/find-root.ts";
import { normalQuantile } from "./normal-quantile.ts";
import { tCdf } from "./t-cdf.ts";

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
