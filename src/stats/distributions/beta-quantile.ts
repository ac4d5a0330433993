import { incompleteBeta } from "../special/beta.ts";
import { findRoot } from "../special/find-root.ts";

/** The x with I_x(a, b) = p: the quantile of the beta distribution. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0 || p === 1) return p;
  return findRoot((x) => incompleteBeta(x, a, b) - p, 0, 1);
}
