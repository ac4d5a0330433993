import { findRoot } from "../special/find-root.ts";
import { fCdf, fTail } from "./f-cdf.ts";

/** The x with P(X <= x) = p of the F distribution, solved on the smaller of the two tails. */
export function fQuantile(p: number, df1: number, df2: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return 0;
  if (p === 1) return Number.POSITIVE_INFINITY;
  const excess = (x: number) =>
    p < 0.5 ? Math.log(fCdf(x, df1, df2)) - Math.log(p) : Math.log(1 - p) - Math.log(fTail(x, df1, df2));
  let low = 1;
  let high = 2;
  while (excess(low) > 0) low /= 4;
  while (excess(high) < 0) high *= 2;
  return findRoot(excess, low, high);
}
