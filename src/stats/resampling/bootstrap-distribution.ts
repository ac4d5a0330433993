import { differences } from "../effects/differences.ts";
import { requireCount } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { quantileOfSorted } from "../summaries/quantiles.ts";
import { FastRandom } from "./fast-random.ts";
import { resampleMeans } from "./resample.ts";

export interface BootstrapDistribution {
  /** Of every resample, sorted. */
  values: Float64Array;
  estimate: number;
  /** The middle 95 %. */
  low: number;
  high: number;
}

/**
 * The means of bootstrap samples, or mean differences x − y where there are two: to be looked at.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), ch. 6 and 13.
 */
export function bootstrapDistribution(
  xs: Sample,
  ys: Sample | undefined,
  {
    resamples = 10_000,
    seed = 1,
    isPaired = false,
  }: { resamples?: number; seed?: number; isPaired?: boolean } = {},
): Result<BootstrapDistribution> {
  requireCount(resamples, "resamples", 100);
  const samples = ys && isPaired ? [differences(xs, ys)] : ys ? [xs, ys] : [xs];
  const short = samples.find(({ length }) => length < 3);
  if (short)
    return unknownBecause(
      `a sample has ${short.length} value${short.length === 1 ? "" : "s"} and this needs at least 3`,
    );
  if (samples.every(allEqual)) return unknownBecause("all values are equal, so they show no spread");
  const [first, second] = samples.map((sample, i) => {
    const random = new FastRandom(seed, i === 0 ? "bootstrap/first" : "bootstrap/second");
    return resampleMeans(Float64Array.from(sample), resamples, { random });
  });
  if (second) for (let i = 0; i < resamples; i++) first![i]! -= second[i]!;
  const values = first!.sort();
  const [a, b] = samples.map((sample) => moments(sample).mean);
  return known({
    ...{ values, estimate: a! - (b ?? 0) },
    ...{ low: quantileOfSorted(values, 0.025), high: quantileOfSorted(values, 0.975) },
  });
}

/** Why a bootstrap distribution of a caller's statistic carries no interval, or undefined if it does. */
export function distributionProblem(distribution: Float64Array, estimate: number): string | undefined {
  if (!Number.isFinite(estimate)) return "the statistic has no value on these data";
  let equal = true;
  for (const value of distribution) {
    if (!Number.isFinite(value)) return "the statistic has no value on some resamples";
    if (value !== distribution[0]) equal = false;
  }
  return equal ? "the statistic is the same on all resamples, so they show no spread" : undefined;
}
