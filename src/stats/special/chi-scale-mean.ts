import { stirlingError } from "./gamma.ts";

/**
 * The mean of f(S), where S = sqrt(χ²/df) is the ratio of an estimated to a true standard deviation. Every
 * probability about a studentised quantity is such a mean: the noncentral t, the studentised range.
 * The trapezoid rule in u = ln s, halved until it settles; for a smooth integrand that dies off at both ends
 * it converges exponentially. Source: L. N. Trefethen and J. A. C. Weideman, SIAM Review 56 (2014), 385-458.
 */
export function chiScaleMean(f: (s: number) => number, df: number): number {
  const peak = Math.exp(-stirlingError(df / 2)) * Math.sqrt(df / Math.PI);
  const at = (u: number) => peak * Math.exp(df * fall(u)) * f(Math.exp(u));
  const left = edge(df, -1);
  const right = edge(df, 1);
  let steps = 64;
  let h = (right - left) / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i++) sum += at(left + i * h);
  let estimate = sum * h;
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < steps; i++) sum += at(left + (i + 0.5) * h);
    steps *= 2;
    h /= 2;
    const better = sum * h;
    if (Math.abs(better - estimate) < 1e-13) return better;
    estimate = better;
  }
  return estimate;
}

/** The logarithm of the density of u, per degree of freedom, against its peak: u − (e^2u − 1)/2. */
function fall(u: number): number {
  return u - Math.expm1(2 * u) / 2;
}

/** Where, on one side of the peak, the density has fallen by e^-42. */
function edge(df: number, direction: 1 | -1): number {
  let near = 0;
  let far: number = direction;
  while (df * fall(far) > -42) {
    near = far;
    far *= 2;
  }
  for (let i = 0; i < 12; i++) {
    const middle = (near + far) / 2;
    if (df * fall(middle) > -42) near = middle;
    else far = middle;
  }
  return far;
}
