import { requireCount, requireFraction, type Side } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { type ResampledLevel, resampleTasks } from "../resampling/resample.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { sum } from "../summaries/moments.ts";
import { type BootstrapOptions, bootstrapCautions, percentileLimits } from "./bootstrap-limits.ts";
import type { Interval } from "./interval.ts";

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

/** Why tasks with their rollouts can't be resampled at a level, or undefined if they can. */
function tasksProblem(tasks: readonly Sample[], level: ResampledLevel): string | undefined {
  if (tasks.length === 0) return "there are no tasks";
  for (const [i, task] of tasks.entries()) {
    const problem = sampleProblem(task, 1, `task ${i + 1}`);
    if (problem) return problem;
  }
  const noise = tasks.some((task) => !allEqual(task));
  if (level === "rollouts")
    return noise ? undefined : "within each task all rollouts are equal, or there is just one";
  if (tasks.length < 3) return `there are ${tasks.length} tasks and resampling them needs at least 3`;
  const means = tasks.map((task) => sum(task) / task.length);
  if (allEqual(means) && (level === "tasks" || !noise))
    return "all tasks have the same mean, so resampling shows no spread";
  return undefined;
}
