import { erfc } from "../special/erf.ts";

/** P(Z <= z) of the standard normal, accurate in both tails. Source: DLMF 7.17, Φ(z) = erfc(−z/√2)/2. */
export function normalCdf(z: number): number {
  return 0.5 * erfc(-z * Math.SQRT1_2);
}

/** The density of the standard normal at z. */
export function normalDensity(z: number): number {
  return 0.3989422804014327 * Math.exp(-0.5 * z * z);
}

/**
 * The z with P(Z <= z) = p: a rational first guess (error under 4.5e-4), then two of Halley's steps on our own
 * cdf, always in the lower tail where it keeps its digits.
 * Source: Abramowitz and Stegun (1964), 26.2.23; Halley's method.
 */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  if (p > 0.5) return -normalQuantile(1 - p);
  if (!(p > 0)) return p === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  const t = Math.sqrt(-2 * Math.log(p));
  let z =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 2; step++) {
    const error = (normalCdf(z) - p) / normalDensity(z);
    z -= error / (1 + (z * error) / 2);
  }
  return z;
}
