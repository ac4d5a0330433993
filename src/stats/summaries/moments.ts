import type { Sample } from "../sample.ts";
import { sum } from "./sum.ts";

/** What most methods need of a sample: its size, mean and unbiased variance (n − 1 below the line). */
export interface Moments {
  n: number;
  mean: number;
  variance: number;
}

/**
 * Mean and variance in two passes with the correction for the rounding of the mean. The caller has checked that
 * there are at least two finite values. A sample of equal values has a variance of exactly zero.
 * Source: T. F. Chan, G. H. Golub, R. J. LeVeque, The American Statistician 37 (1983), 242-247.
 */
export function moments(xs: Sample): Moments {
  const n = xs.length;
  const mean = sum(xs) / n;
  let squares = 0;
  let rest = 0;
  let spread = 0;
  for (let i = 0; i < n; i++) {
    const deviation = xs[i]! - mean;
    squares += deviation * deviation;
    rest += deviation;
    if (xs[i] !== xs[0]) spread = 1;
  }
  return { n, mean, variance: spread === 0 ? 0 : (squares - (rest * rest) / n) / (n - 1) };
}
