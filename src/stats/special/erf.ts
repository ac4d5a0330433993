import { incompleteGamma } from "./gamma.ts";

/** The error function, to about 1e-15 relative. Source: DLMF 7.6.2 near zero, 1 − erfc beyond. */
export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  return x < 1.5 ? erfSeries(x) : 1 - erfc(x);
}

const TWO_OVER_ROOT_PI = 1.1283791670955126;

/**
 * The complementary error function, to about 1e-14 relative in both tails.
 * Source: erf by the series DLMF 7.6.2, whose terms are all positive; from 1.5 on erfc(x) = Q(½, x²), DLMF 7.11.2.
 */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x >= 1.5) return incompleteGamma(0.5, x * x).upper;
  return 1 - erfSeries(x);
}

/** erf by its series, for 0 <= x < 2. */
function erfSeries(x: number): number {
  const xx = x * x;
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (2 * xx) / (2 * n + 1);
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return TWO_OVER_ROOT_PI * Math.exp(-xx) * sum;
}
