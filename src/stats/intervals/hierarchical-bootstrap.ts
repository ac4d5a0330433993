import { requireCount, requireFraction } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { type ResampledLevel, resampleTasks } from "../resampling/resample-tasks.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { sum } from "../summaries/sum.ts";
import { type BootstrapOptions, bootstrapCautions } from "./bootstrap-options.ts";
import type { Interval } from "./interval.ts";
import { percentileLimits } from "./percentile-limits.ts";
import { tasksProblem } from "./tasks-problem.ts";

export interface HierarchicalOptions extends BootstrapOptions {
  /**
   * What is drawn anew: tasks and then rollouts within each drawn task ("both", the default; errs towards wide,
   * since the spread of measured task means already holds the rollouts' noise); tasks alone, with their rollouts
   * ("tasks": right for a claim about tasks of this kind); or rollouts alone within the given tasks ("rollouts":
   * right for a claim about these very tasks, as in rliable's stratified bootstrap).
   */
  resample?: ResampledLevel;
}

/**
 * A percentile bootstrap interval for the mean over tasks of their mean scores; every task weighs the same,
 * however many rollouts it has. Treating rollouts of one task as independent runs makes intervals too short.
 * Sources: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application (1997), 3.8;
 * R. Agarwal et al., NeurIPS 2021 (rliable).
 */
export function hierarchicalBootstrap(
  tasks: readonly Sample[],
  options: HierarchicalOptions = {},
): Result<Interval> {
  const { seed = 1, side = "two-sided", resample = "both" } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const resamples = requireCount(options.resamples ?? 10_000, "resamples", 100);
  const problem = tasksProblem(tasks, resample);
  if (problem) return unknownBecause(problem);
  const estimate = sum(tasks.map((task) => sum(task) / task.length)) / tasks.length;
  const distribution = resampleTasks([tasks], resamples, {
    level: resample,
    random: new FastRandom(seed, "hierarchical"),
  });
  const limits = percentileLimits(distribution, { level, side });
  const cautions = resample === "rollouts" ? [] : bootstrapCautions(tasks.length, "percentile", "task");
  return known({
    estimate,
    ...limits,
    level,
    side,
    method: `hierarchical bootstrap (${resample})`,
    cautions,
  });
}
