import { requireCount, requireFraction, type Side } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { resampleTasks } from "../resampling/resample-tasks.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { sum } from "../summaries/sum.ts";
import { bootstrapCautions } from "./bootstrap-options.ts";
import type { HierarchicalOptions } from "./hierarchical-bootstrap.ts";
import type { Interval } from "./interval.ts";
import { percentileLimits } from "./percentile-limits.ts";
import { tasksProblem } from "./tasks-problem.ts";

export interface HierarchicalDifference extends Interval {
  /** Of no difference, by inverting the interval: twice the smaller share of resampled differences beyond 0. */
  p: number;
}

/**
 * As hierarchicalBootstrap, for the difference of two arms on the same tasks, first − second: a drawn task brings
 * its rollouts of both arms, so the tasks' difficulty cancels; rollouts are drawn in each arm alone.
 */
export function hierarchicalBootstrapDifference(
  first: readonly Sample[],
  second: readonly Sample[],
  options: HierarchicalOptions = {},
): Result<HierarchicalDifference> {
  const { seed = 1, side = "two-sided", resample = "both" } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const resamples = requireCount(options.resamples ?? 10_000, "resamples", 100);
  if (first.length !== second.length)
    return unknownBecause(`one arm has ${first.length} tasks and the other ${second.length}`);
  const problem = tasksProblem(first, resample) ?? tasksProblem(second, resample);
  if (problem) return unknownBecause(problem);
  const means = (tasks: readonly Sample[]) =>
    sum(tasks.map((task) => sum(task) / task.length)) / tasks.length;
  const random = new FastRandom(seed, "hierarchical");
  const distribution = resampleTasks([first, second], resamples, { level: resample, random });
  const limits = percentileLimits(distribution, { level, side });
  const cautions = resample === "rollouts" ? [] : bootstrapCautions(first.length, "percentile", "task");
  const estimate = means(first) - means(second);
  return known({
    estimate,
    ...limits,
    level,
    side,
    method: `paired hierarchical bootstrap (${resample})`,
    cautions,
    p: sharesBeyond(distribution, side),
  });
}

/** Counting the sample itself keeps p above 0. */
function sharesBeyond(distribution: Float64Array, side: Side): number {
  let [below, above] = [1, 1];
  for (const value of distribution) {
    if (value <= 0) below++;
    if (value >= 0) above++;
  }
  const n = distribution.length + 1;
  if (side !== "two-sided") return (side === "greater" ? below : above) / n;
  return Math.min(1, (2 * Math.min(below, above)) / n);
}
