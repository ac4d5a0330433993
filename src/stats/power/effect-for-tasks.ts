import type { Result, Value } from "../result.ts";
import { minimumDetectableEffect } from "./minimum-detectable-effect.ts";
import { taskDifferenceSd } from "./nested.ts";
import type { TaskOptions } from "./tasks-for-effect.ts";

/** The smallest difference of two arms that so many tasks, with these rollouts, find with the power asked for. */
export function effectForTasks(tasks: number, options: TaskOptions): Result<Value> {
  const { power = 0.8, alpha = 0.05, side = "two-sided" } = options;
  return minimumDetectableEffect(tasks, power, {
    design: "paired",
    sd: taskDifferenceSd(options),
    alpha,
    side,
  });
}
