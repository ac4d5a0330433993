import { deviance, stirlingError } from "./gamma.ts";

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

const TINY = 1e-300;

/**
 * The regularised incomplete beta function I_x(a, b). Pass `y` = 1 − x where it is known better than the
 * subtraction gives it: that keeps the digits of a t or F probability in the far tail.
 * Source: continued fraction DLMF 8.17.22 (Lentz's method), symmetry 8.17.4; the factor before it after
 * C. Loader (2000), so that it stays accurate for a and b in the millions. O(sqrt(max(a, b))) steps.
 */
export function incompleteBeta(x: number, a: number, b: number, y = 1 - x): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = powerTerm(x, y, a, b);
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(y, b, a)) / b;
}

/** x^a y^b / B(a, b), from the binomial density at a of a + b. */
function powerTerm(x: number, y: number, a: number, b: number): number {
  const n = a + b;
  const gap = a * y - b * x; // a − n x, without its cancellation
  const fit = deviance(a, n * x, gap) + deviance(b, n * y, -gap);
  const exponent = stirlingError(n) - stirlingError(a) - stirlingError(b) - fit;
  return Math.exp(exponent) * Math.sqrt(((a / n) * b) / (2 * Math.PI));
}

function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < 200_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return h;
}

function nonZero(x: number): number {
  return Math.abs(x) < TINY ? TINY : x;
}
