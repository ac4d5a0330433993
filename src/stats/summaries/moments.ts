import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";

/** The sum of all values with compensated rounding (A. Neumaier, ZAMM 54 (1974), 39-51): error does not grow with n. */
export function sum(xs: Sample): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i]!;
    const next = total + x;
    lost += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
    total = next;
  }
  return total + lost;
}

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

/** The arithmetic mean: what an expected cost or score is estimated by, and what one wild run can drag anywhere. */
export function mean(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 1);
  if (problem) return unknownBecause(problem);
  return known({ value: sum(xs) / xs.length });
}

/** The unbiased sample variance: squared deviations from the mean over n − 1. */
export function variance(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  return known({ value: moments(xs).variance });
}

/** The sample standard deviation (n − 1): how far runs lie apart. It does not shrink as more are added. */
export function standardDeviation(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  return known({ value: Math.sqrt(moments(xs).variance) });
}

/**
 * The standard error of the mean, sd/√n, for independent values: how far the mean would move if all were run
 * again. Equal values give no answer: they say that the measurement is coarse, not that the mean is certain.
 */
export function standardError(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause(`all ${xs.length} values are equal, so their spread says nothing`);
  return known({ value: Math.sqrt(moments(xs).variance / xs.length) });
}

/**
 * The standard deviation relative to the size of the mean. It describes the runs; it does not say how well their
 * mean is known, and does not fall as runs are added, so it can't tell how many seeds are enough.
 */
export function coefficientOfVariation(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 2);
  if (problem) return unknownBecause(problem);
  const { mean, variance } = moments(xs);
  if (mean === 0) return unknownBecause("the mean is 0, and nothing is relative to 0");
  return known({ value: Math.sqrt(variance) / Math.abs(mean) });
}

/** The mean of (x − mean)^order; the caller has checked the sample. */
function centralMoment(xs: Sample, order: number): number {
  const centre = sum(xs) / xs.length;
  let total = 0;
  for (let i = 0; i < xs.length; i++) total += (xs[i]! - centre) ** order;
  return total / xs.length;
}

/** Skewness g1 = m3 / m2^1.5, as scipy.stats.skew: above 0 the long tail is to the right, as of times and costs. */
export function skewness(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 3);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause("all values are equal and have no shape");
  return known({ value: centralMoment(xs, 3) / centralMoment(xs, 2) ** 1.5 });
}

/** Excess kurtosis g2 = m4 / m2² − 3, as scipy.stats.kurtosis: above 0 the tails are heavier than the normal's. */
export function kurtosis(xs: Sample): Result<Value> {
  const problem = sampleProblem(xs, 4);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs)) return unknownBecause("all values are equal and have no shape");
  return known({ value: centralMoment(xs, 4) / centralMoment(xs, 2) ** 2 - 3 });
}
