import { normalQuantile } from "../distributions/normal-quantile.ts";
import { known, type Result } from "../result.ts";
import type { Design } from "./design.ts";
import { type Rollouts, taskDifferenceSd } from "./nested.ts";
import { type SampleSize, sampleSize } from "./sample-size.ts";

export interface TasksForEffect extends SampleSize {
  /** The textbook's (z_α + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ², which is a little short where tasks are few. */
  normalApproximation: number;
}

export type TaskOptions = Rollouts & { power?: number; alpha?: number; side?: "two-sided" | "one-sided" };

/**
 * How many tasks find a difference of `effect` between two arms that both run every task: rollouts average out
 * the noise within tasks, and only more tasks average out that arms differ from task to task.
 * Source: E. Miller, "Adding error bars to evals" (2024), arXiv:2411.00640, with the paired t test instead of z.
 */
export function tasksForEffect(effect: number, options: TaskOptions): Result<TasksForEffect> {
  const { power = 0.8, alpha = 0.05, side = "two-sided" } = options;
  const sd = taskDifferenceSd(options);
  const size = sampleSize(effect, power, { design: "paired", sd, alpha, side } satisfies Design);
  if (!size.known) return size;
  const z = normalQuantile(power) - normalQuantile(side === "two-sided" ? alpha / 2 : alpha);
  return known({ ...size, normalApproximation: (z * sd) ** 2 / effect ** 2 });
}
