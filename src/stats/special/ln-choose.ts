import { lnBeta } from "./ln-beta.ts";

/** The logarithm of the binomial coefficient C(n, k), also for counts whose coefficient overflows. DLMF 1.2.1. */
export function lnChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  if (k === 0 || k === n) return 0;
  return -Math.log(n + 1) - lnBeta(k + 1, n - k + 1);
}
