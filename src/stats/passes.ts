import { bootstrapInterval } from "./intervals/bootstrap-interval.ts";
import type { BootstrapOptions } from "./intervals/bootstrap-limits.ts";
import type { Interval } from "./intervals/interval.ts";
import { known, type Result, unknownBecause } from "./result.ts";
import { sum } from "./summaries/moments.ts";

/**
 * pass@k: the chance that at least one of k attempts at a task passes, averaged over tasks. The unbiased estimate
 * 1 − C(n − c, k)/C(n, k) from n attempts with c passes, as a product that does not overflow.
 * Source: M. Chen et al., "Evaluating large language models trained on code" (2021), arXiv:2107.03374.
 */
export function passAtK(
  tasks: readonly TaskOutcomes[],
  k: number,
  options: BootstrapOptions = {},
): Result<PassRate> {
  return passRate(tasks, k, { ...options, estimate: anyOf });
}

function anyOf({ attempts, passed }: TaskOutcomes, k: number): number {
  let none = 1;
  for (let i = 0; i < k; i++) none *= Math.max(0, attempts - passed - i) / (attempts - i);
  return 1 - none;
}

/**
 * pass^k: the chance that all of k attempts at a task pass, averaged over tasks: what a user who can't retry
 * cares for. The unbiased estimate C(c, k)/C(n, k) from n attempts with c passes.
 * Source: S. Yao et al., "τ-bench" (2024), arXiv:2406.12045.
 */
export function passHatK(
  tasks: readonly TaskOutcomes[],
  k: number,
  options: BootstrapOptions = {},
): Result<PassRate> {
  return passRate(tasks, k, { ...options, estimate: allOf });
}

function allOf({ attempts, passed }: TaskOutcomes, k: number): number {
  let every = 1;
  for (let i = 0; i < k; i++) every *= Math.max(0, passed - i) / (attempts - i);
  return every;
}

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
function passRate(
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

/** How many of a task's attempts passed. */
export interface TaskOutcomes {
  attempts: number;
  passed: number;
}

/** Why outcomes are not counts, or undefined if they are. */
function outcomesProblem(tasks: readonly TaskOutcomes[], k: number): string | undefined {
  if (!(Number.isInteger(k) && k >= 1)) return `k is a whole number from 1 on, not ${k}`;
  if (tasks.length === 0) return "there are no tasks";
  for (const [i, { attempts, passed }] of tasks.entries()) {
    if (!(Number.isInteger(attempts) && Number.isInteger(passed) && passed >= 0 && passed <= attempts)) {
      return `task ${i + 1} has ${passed} passes in ${attempts} attempts`;
    }
  }
  if (tasks.every(({ attempts }) => attempts < k)) return `no task has as many as ${k} attempts`;
  return undefined;
}
