import { differences } from "../effects/differences.ts";
import { requireCount, requireFraction } from "../options.ts";
import { acceleration } from "../resampling/acceleration.ts";
import { distributionProblem } from "../resampling/distribution-problem.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { jackknife } from "../resampling/jackknife.ts";
import { resampleStatistic } from "../resampling/resample-statistic.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { bootstrapInterval } from "./bootstrap-interval.ts";
import { bootstrapLimits } from "./bootstrap-limits.ts";
import { type BootstrapMethod, type BootstrapOptions, bootstrapCautions } from "./bootstrap-options.ts";
import type { Interval } from "./interval.ts";

export interface BootstrapPairedOptions extends BootstrapOptions {
  method?: BootstrapMethod;
  /** Of the two columns, resampled together; the mean difference x − y unless told. */
  statistic?: (xs: Float64Array, ys: Float64Array) => number;
}

/**
 * A bootstrap interval for paired data: pairs are drawn, never their halves. By default for the mean difference,
 * which takes the fast way through the differences.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), ch. 9 and 14.
 */
export function bootstrapPairedInterval(
  xs: Sample,
  ys: Sample,
  options: BootstrapPairedOptions = {},
): Result<Interval> {
  const problem = pairProblem(xs, ys, 3, true);
  if (problem) return unknownBecause(problem);
  const { statistic, ...rest } = options;
  if (!statistic) return bootstrapInterval(differences(xs, ys), rest);
  const { method = "bca", seed = 1, side = "two-sided" } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const resamples = requireCount(options.resamples ?? 10_000, "resamples", 100);
  if (method === "studentised")
    return unknownBecause("the studentised bootstrap is for the mean difference only");
  const columns = [Float64Array.from(xs), Float64Array.from(ys)];
  const ofColumns = statistic as (...columns: Float64Array[]) => number;
  const estimate = ofColumns(...columns.map((column) => column.slice()));
  const distribution = resampleStatistic(columns, ofColumns, {
    resamples,
    random: new FastRandom(seed, "bootstrap"),
  });
  const useless = distributionProblem(distribution, estimate);
  if (useless) return unknownBecause(useless);
  const limits = bootstrapLimits(distribution, {
    ...{ method, estimate, level, side },
    scale: Math.abs(estimate),
    acceleration: () => acceleration(jackknife(columns, ofColumns)),
  });
  if (!limits) return unknownBecause("the resamples are too lopsided for this method");
  const cautions = bootstrapCautions(xs.length, method, "pair");
  return known({ estimate, ...limits, level, side, method: `paired bootstrap ${method}`, cautions });
}
