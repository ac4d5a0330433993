import { deviance } from "./deviance.ts";
import { stirlingError } from "./stirling-error.ts";

const TINY = 1e-300;

/** The two regularised incomplete gamma functions: `lower` is P(a, x), `upper` is Q(a, x) = 1 − P. */
export interface IncompleteGamma {
  lower: number;
  upper: number;
}

/**
 * Regularised incomplete gamma functions. Each tail is computed where it is small, so neither loses digits.
 * Source: power series DLMF 8.7.1 for x < a + 1, continued fraction DLMF 8.9.2 (Lentz's method) beyond.
 */
export function incompleteGamma(a: number, x: number): IncompleteGamma {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (x === Number.POSITIVE_INFINITY) return { lower: 1, upper: 0 };
  const scale = Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a);
  if (x < a + 1) {
    const lower = scale * series(a, x);
    return { lower, upper: 1 - lower };
  }
  const upper = scale * a * fraction(a, x);
  return { lower: 1 - upper, upper };
}

function series(a: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; n < 100_000; n++) {
    term *= x / (a + n);
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return sum;
}

function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 100_000; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / nonZero(an * d + b);
    c = nonZero(b + an / c);
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return h;
}

function nonZero(x: number): number {
  return Math.abs(x) < TINY ? TINY : x;
}
