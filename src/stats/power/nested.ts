import { requireCount } from "../options.ts";

/**
 * What a comparison of two arms over tasks is made of: how much the true difference varies between tasks, how much
 * a rollout varies within a task in each arm, and how many rollouts a task each arm gets.
 */
export interface Rollouts {
  /** ω: the standard deviation over tasks of the true difference of the arms. */
  betweenSd: number;
  /** σ: the standard deviation of a rollout about its task's mean, in the first and the second arm. */
  withinSd: readonly [number, number];
  rollouts: readonly [number, number];
}

/** The standard deviation of a task's measured difference: sqrt(ω² + σ_A²/K_A + σ_B²/K_B). E. Miller (2024), 3.3. */
export function taskDifferenceSd({ betweenSd, withinSd, rollouts }: Rollouts): number {
  requireCount(rollouts[0], "rollouts of the first arm");
  requireCount(rollouts[1], "rollouts of the second arm");
  return Math.sqrt(betweenSd ** 2 + withinSd[0] ** 2 / rollouts[0] + withinSd[1] ** 2 / rollouts[1]);
}
