const HALF_LN_TWO_PI = 0.9189385332046727;

/**
 * The logarithm of the gamma function for x > 0: Stirling's series from 12 on, below that the recurrence
 * Γ(x + 1) = x Γ(x) up to it. Absolute error about 1e-15 times the larger of 1 and the value.
 * Source: DLMF 5.5.1 and 5.11.1 (https://dlmf.nist.gov/5.11).
 */
export function lnGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`lnGamma is for positive numbers, not ${x}`);
  if (x === 1 || x === 2) return 0;
  let product = 1;
  let z = x;
  while (z < 12) product *= z++;
  const r = 1 / (z * z);
  const series =
    (1 / 12 -
      r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - r * (691 / 360360 - r / 156)))))) /
    z;
  return (z - 0.5) * Math.log(z) - z + HALF_LN_TWO_PI + series - Math.log(product);
}

/**
 * What Stirling's formula misses: ln Γ(n + 1) − (n + ½) ln n + n − ½ ln 2π. Small where ln Γ is huge, so
 * that densities built from it keep their digits at a million degrees of freedom.
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000); series DLMF 5.11.1.
 */
export function stirlingError(n: number): number {
  if (n < 12) return lnGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LN_TWO_PI;
  const r = 1 / (n * n);
  return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - (r * 691) / 360360))))) / n;
}

/**
 * Half the deviance of a Poisson count x against its mean m: x ln(x / m) + m − x, without the loss of digits
 * that the formula itself has where x is close to m. Pass `difference` = x − m where it is known better than
 * the subtraction gives it.
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000), function bd0.
 */
export function deviance(x: number, m: number, difference = x - m): number {
  if (Math.abs(difference) >= 0.1 * (x + m)) return x * Math.log(x / m) - difference;
  const v = difference / (x + m);
  let sum = difference * v;
  let term = 2 * x * v;
  for (let j = 1; j < 200; j++) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (next === sum) break;
    sum = next;
  }
  return sum;
}

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
