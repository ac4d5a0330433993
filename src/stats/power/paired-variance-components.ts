import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { groupsProblem } from "../tests/groups-problem.ts";

export interface PairedVarianceComponents {
  /** ω: the standard deviation over tasks of the true difference of the arms. */
  betweenSd: number;
  withinSd: readonly [number, number];
}

/**
 * What a pilot of two arms on the same tasks says for planning: ω and the two σ that tasksForEffect asks for. The
 * noise of the rollouts is taken out of the variance of the tasks' measured differences.
 * Source: E. Miller, "Adding error bars to evals" (2024), arXiv:2411.00640, by the method of moments.
 */
export function pairedVarianceComponents(
  first: readonly Sample[],
  second: readonly Sample[],
): Result<PairedVarianceComponents> {
  // A task that was run once says nothing of the noise within, and all that it can of the difference.
  const problem = groupsProblem(first, 1) ?? groupsProblem(second, 1);
  if (problem) return unknownBecause(problem);
  if ([first, second].some((tasks) => tasks.every((values) => values.length < 2)))
    return unknownBecause("in one of the arms each task was run once");
  if (first.length !== second.length)
    return unknownBecause(`one arm has ${first.length} tasks and the other ${second.length}`);
  const arms = [first.map(moments), second.map(moments)] as const;
  const within = arms.map((tasks) => {
    const df = tasks.reduce((total, task) => total + task.n - 1, 0);
    return tasks.reduce((total, task) => total + (task.n - 1) * task.variance, 0) / df;
  }) as [number, number];
  const noise = arms[0].map((task, i) => within[0] / task.n + within[1] / arms[1][i]!.n);
  const measured = moments(arms[0].map((task, i) => task.mean - arms[1][i]!.mean)).variance;
  const between = measured - noise.reduce((total, x) => total + x, 0) / noise.length;
  return known({
    betweenSd: Math.sqrt(Math.max(0, between)),
    withinSd: [Math.sqrt(within[0]), Math.sqrt(within[1])],
  });
}
