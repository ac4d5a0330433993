import { bootstrapInterval } from "../intervals/bootstrap-interval.ts";
import type { BootstrapOptions } from "../intervals/bootstrap-options.ts";
import type { Interval } from "../intervals/interval.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { sum } from "../summaries/sum.ts";
import { outcomesProblem, type TaskOutcomes } from "./task-outcomes.ts";

/** A mean over tasks, with what it rests on. */
export interface PassRate {
  value: number;
  /** Tasks with at least k attempts, and those that had fewer and are left out. */
  tasks: number;
  leftOut: number;
  /** Over tasks, which are the unit that is resampled; unknown where they can't carry one. */
  interval: Result<Interval>;
}

/** The mean over tasks of an estimate made from each task's counts; what pass@k and pass^k share. */
export function passRate(
  tasks: readonly TaskOutcomes[],
  k: number,
  { estimate, ...options }: BootstrapOptions & { estimate: (task: TaskOutcomes, k: number) => number },
): Result<PassRate> {
  const problem = outcomesProblem(tasks, k);
  if (problem) return unknownBecause(problem);
  const values = tasks.filter(({ attempts }) => attempts >= k).map((task) => estimate(task, k));
  return known({
    value: sum(values) / values.length,
    tasks: values.length,
    leftOut: tasks.length - values.length,
    interval: bootstrapInterval(values, { ...options, method: "bca" }),
  });
}
