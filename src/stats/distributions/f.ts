import { incompleteBeta } from "../special/beta.ts";
import { findRoot } from "../special/find-root.ts";

/** P(X <= x) of the F distribution with df1 and df2 degrees of freedom; `fTail` is its complement. DLMF 8.17(i). */
export function fCdf(x: number, df1: number, df2: number): number {
  if (x <= 0) return 0;
  const whole = df1 * x + df2;
  return incompleteBeta((df1 * x) / whole, df1 / 2, df2 / 2, df2 / whole);
}

/** P(X > x), accurate where it is tiny. */
export function fTail(x: number, df1: number, df2: number): number {
  if (x <= 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const whole = df1 * x + df2;
  return incompleteBeta(df2 / whole, df2 / 2, df1 / 2, (df1 * x) / whole);
}

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
