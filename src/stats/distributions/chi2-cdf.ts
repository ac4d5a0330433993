import { incompleteGamma } from "../special/incomplete-gamma.ts";

/** P(X <= x) of the chi-square distribution; `chi2Tail` is its complement. Source: DLMF 8.2.4, P(df/2, x/2). */
export function chi2Cdf(x: number, df: number): number {
  return incompleteGamma(df / 2, x / 2).lower;
}

/** P(X > x), accurate where it is tiny. */
export function chi2Tail(x: number, df: number): number {
  return incompleteGamma(df / 2, x / 2).upper;
}
