import { requireCount, requireFraction, type Side } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { acceleration, jackknifeMeans } from "../resampling/jackknife.ts";
import { resampleMeans, resampleMoments } from "../resampling/resample.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import {
  type BootstrapMethod,
  type BootstrapOptions,
  bootstrapCautions,
  bootstrapLimits,
  type Limits,
  studentisedLimits,
} from "./bootstrap-limits.ts";
import type { Interval } from "./interval.ts";

/**
 * A bootstrap interval for the difference of two independent means, x − y; each sample is resampled alone.
 * Sources as for bootstrapInterval; the acceleration of two samples after Davison and Hinkley (1997), (5.25).
 */
export function bootstrapDifferenceInterval(
  xs: Sample,
  ys: Sample,
  options: BootstrapOptions & { method?: BootstrapMethod } = {},
): Result<Interval> {
  const { method = "bca", seed = 1, side = "two-sided" } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const resamples = requireCount(options.resamples ?? 10_000, "resamples", 100);
  const problem = pairProblem(xs, ys, 3);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs) && allEqual(ys))
    return unknownBecause("each sample's values are all equal, so they show no spread");
  const first = Float64Array.from(xs);
  const second = Float64Array.from(ys);
  const estimate = moments(first).mean - moments(second).mean;
  const random = {
    first: new FastRandom(seed, "bootstrap/first"),
    second: new FastRandom(seed, "bootstrap/second"),
  };
  let limits: Limits | null;
  if (method === "studentised") {
    limits = studentisedDifference(first, second, { random, resamples, level, side });
  } else {
    const distribution = resampleMeans(first, resamples, { random: random.first });
    const others = resampleMeans(second, resamples, { random: random.second });
    for (let i = 0; i < resamples; i++) distribution[i]! -= others[i]!;
    const influences = () =>
      acceleration(
        jackknifeMeans(first),
        jackknifeMeans(second).map((x) => -x),
      );
    limits = bootstrapLimits(distribution, {
      method,
      estimate,
      level,
      side,
      scale: scale(first, second),
      acceleration: influences,
    });
  }
  if (!limits)
    return unknownBecause("too many resamples have no spread: the data take too few different values");
  const cautions = bootstrapCautions(Math.min(xs.length, ys.length), method);
  return known({ estimate, ...limits, level, side, method: `bootstrap ${method} of two samples`, cautions });
}

interface TwoStreams {
  random: { first: FastRandom; second: FastRandom };
  resamples: number;
  level: number;
  side: Side;
}

function studentisedDifference(
  first: Float64Array,
  second: Float64Array,
  { random, resamples, level, side }: TwoStreams,
) {
  const a = moments(first);
  const b = moments(second);
  const ra = resampleMoments(
    first.map((x) => x - a.mean),
    resamples,
    { random: random.first },
  );
  const rb = resampleMoments(
    second.map((x) => x - b.mean),
    resamples,
    { random: random.second },
  );
  const errors = ra.variances.map((v, i) => Math.sqrt(v / a.n + rb.variances[i]! / b.n));
  const deviations = ra.means.map((m, i) => m - rb.means[i]!);
  const error = Math.sqrt(a.variance / a.n + b.variance / b.n);
  return studentisedLimits(deviations, errors, { estimate: a.mean - b.mean, error, level, side });
}

function scale(first: Float64Array, second: Float64Array): number {
  let most = 0;
  for (const x of first) most = Math.max(most, Math.abs(x));
  for (const x of second) most = Math.max(most, Math.abs(x));
  return most;
}
