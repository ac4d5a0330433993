import { lnBeta } from "./beta.ts";

/**
 * The binomial coefficient C(n, k) by the multiplicative formula: exact while it stays below 2^53, and correct
 * to rounding beyond. Source: DLMF 1.2.1.
 */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  const smaller = Math.min(k, n - k);
  let product = 1;
  for (let i = 1; i <= smaller; i++) {
    const shared = commonDivisor(product, i);
    product = (product / shared) * ((n - smaller + i) / (i / shared));
  }
  return product;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** The logarithm of the binomial coefficient C(n, k), also for counts whose coefficient overflows. DLMF 1.2.1. */
export function lnChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  if (k === 0 || k === n) return 0;
  return -Math.log(n + 1) - lnBeta(k + 1, n - k + 1);
}
