import { findRoot } from "../special/find-root.ts";
import { incompleteGamma } from "../special/gamma.ts";

/** P(X <= x) of the chi-square distribution; `chi2Tail` is its complement. Source: DLMF 8.2.4, P(df/2, x/2). */
export function chi2Cdf(x: number, df: number): number {
  return incompleteGamma(df / 2, x / 2).lower;
}

/** P(X > x), accurate where it is tiny. */
export function chi2Tail(x: number, df: number): number {
  return incompleteGamma(df / 2, x / 2).upper;
}

/** The x with P(X <= x) = p of the chi-square distribution, solved on the smaller of the two tails. */
export function chi2Quantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return 0;
  if (p === 1) return Number.POSITIVE_INFINITY;
  const excess = (x: number) => {
    const { lower, upper } = incompleteGamma(df / 2, x / 2);
    return p < 0.5 ? Math.log(lower) - Math.log(p) : Math.log(1 - p) - Math.log(upper);
  };
  let low = df;
  let high = df + 1;
  while (excess(low) > 0) low /= 4;
  while (excess(high) < 0) high *= 2;
  return findRoot(excess, low, high);
}
