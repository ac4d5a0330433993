import { known, type Result, unknownBecause } from "../result.ts";
import type { Sample } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import { groupsProblem } from "../tests/groups-problem.ts";

export interface VarianceComponents {
  /** The standard deviation of the tasks' true means; 0 where the data show none beyond the noise. */
  betweenSd: number;
  /** The standard deviation of a rollout within its task. */
  withinSd: number;
  /** The share of the variance that lies between tasks. */
  intraclass: number;
}

/**
 * How much of the variance of scores lies between tasks and how much between rollouts of one task: by the method
 * of moments from a one-way analysis, unequal numbers of rollouts allowed.
 * Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), 3.6.
 */
export function varianceComponents(tasks: readonly Sample[]): Result<VarianceComponents> {
  const problem = groupsProblem(tasks, 2);
  if (problem) return unknownBecause(problem);
  const parts = tasks.map(moments);
  const n = parts.reduce((total, part) => total + part.n, 0);
  const grand = parts.reduce((total, part) => total + part.n * part.mean, 0) / n;
  const groups = parts.length;
  const within = parts.reduce((total, part) => total + (part.n - 1) * part.variance, 0) / (n - groups);
  const between = parts.reduce((total, part) => total + part.n * (part.mean - grand) ** 2, 0) / (groups - 1);
  const size = (n - parts.reduce((total, part) => total + part.n ** 2, 0) / n) / (groups - 1);
  const variance = Math.max(0, (between - within) / size);
  if (variance + within === 0) return unknownBecause("all values are equal");
  return known({
    betweenSd: Math.sqrt(variance),
    withinSd: Math.sqrt(within),
    intraclass: variance / (variance + within),
  });
}
