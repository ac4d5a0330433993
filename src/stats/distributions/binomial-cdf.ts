import { incompleteBeta } from "../special/beta.ts";

/** P(X <= k) for X successes in n tries of probability p. Source: DLMF 8.17.24. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incompleteBeta(1 - p, n - Math.floor(k), Math.floor(k) + 1, p);
}
