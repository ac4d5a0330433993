import { normalCdf, normalQuantile } from "../distributions/normal.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import type { TestResult } from "./p-value.ts";

/**
 * The Shapiro-Wilk test of normality, for 3 to 5,000 values: a diagnostic to show beside a plot, never a gate.
 * At small n it sees nothing and at large n it sees what doesn't matter, so a method must not hang on it.
 * Source: P. Royston, "Remark AS R94", Applied Statistics 44 (1995), 547-551.
 */
export function shapiroWilkTest(xs: Sample): Result<TestResult> {
  const problem = sampleProblem(xs, 3);
  if (problem) return unknownBecause(problem);
  if (xs.length > 5000)
    return unknownBecause(`its p-value is fitted for up to 5,000 values, and there are ${xs.length}`);
  if (allEqual(xs)) return unknownBecause("all values are equal and have no shape");
  const sorted = Float64Array.from(xs).sort();
  const n = sorted.length;
  const weights = shapiroWeights(n);
  let numerator = 0;
  for (let i = 0; i < weights.length; i++) numerator += weights[i]! * (sorted[n - 1 - i]! - sorted[i]!);
  const statistic = Math.min(1, numerator ** 2 / (moments(sorted).variance * (n - 1)));
  return known({ statistic, p: pOf(statistic, n), side: "two-sided", method: "Shapiro-Wilk", cautions: [] });
}

/** The weights of the upper half, largest value first. */
function shapiroWeights(n: number): number[] {
  if (n === 3) return [Math.SQRT1_2];
  const half = Math.floor(n / 2);
  const scores = Array.from({ length: half }, (_, i) => -normalQuantile((i + 1 - 0.375) / (n + 0.25)));
  const squares = 2 * scores.reduce((sum, m) => sum + m * m, 0);
  const root = Math.sqrt(squares);
  const u = 1 / Math.sqrt(n);
  const fixed = [polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], u) + scores[0]! / root];
  if (n > 5)
    fixed.push(polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], u) + scores[1]! / root);
  let left = squares;
  let room = 1;
  fixed.forEach((weight, i) => {
    left -= 2 * scores[i]! ** 2;
    room -= 2 * weight ** 2;
  });
  const scale = Math.sqrt(left / room);
  return scores.map((m, i) => fixed[i] ?? m / scale);
}

function pOf(w: number, n: number): number {
  if (n === 3) {
    const p = (6 / Math.PI) * (Math.asin(Math.sqrt(w)) - Math.asin(Math.sqrt(0.75)));
    return Math.min(1, Math.max(0, p));
  }
  const y = Math.log1p(-w);
  if (n <= 11) {
    const bound = polynomial([-2.273, 0.459], n);
    if (y >= bound) return 1e-99;
    const centre = polynomial([0.544, -0.39978, 0.025054, -6.714e-4], n);
    const spread = Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n));
    return normalCdf(-(-Math.log(bound - y) - centre) / spread);
  }
  const x = Math.log(n);
  const centre = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], x);
  const spread = Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], x));
  return normalCdf(-(y - centre) / spread);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, c) => sum * x + c, 0);
}
