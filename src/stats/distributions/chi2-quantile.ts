import { findRoot } from "../special/find-root.ts";
import { incompleteGamma } from "../special/incomplete-gamma.ts";

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
