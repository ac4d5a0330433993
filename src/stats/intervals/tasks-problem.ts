import type { ResampledLevel } from "../resampling/resample-tasks.ts";
import { allEqual, type Sample, sampleProblem } from "../sample.ts";
import { sum } from "../summaries/sum.ts";

/** Why tasks with their rollouts can't be resampled at a level, or undefined if they can. */
export function tasksProblem(tasks: readonly Sample[], level: ResampledLevel): string | undefined {
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
