import { stirlingError } from "./stirling-error.ts";

const HALF_LN_TWO_PI = 0.9189385332046727;

/**
 * The logarithm of the beta function, ln Γ(a) + ln Γ(b) − ln Γ(a + b), with the big parts of the three
 * cancelled on paper and not in floating point. Source: DLMF 5.12.1 with Stirling's formula, 5.11.1.
 */
export function lnBeta(a: number, b: number): number {
  const n = a + b;
  const corrections = stirlingError(a) + stirlingError(b) - stirlingError(n);
  return (
    corrections + HALF_LN_TWO_PI - 0.5 * Math.log((a / n) * b) - a * Math.log1p(b / a) - b * Math.log1p(a / b)
  );
}
