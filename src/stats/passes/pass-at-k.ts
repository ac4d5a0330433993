import type { BootstrapOptions } from "../intervals/bootstrap-options.ts";
import type { Result } from "../result.ts";
import { type PassRate, passRate } from "./pass-rate.ts";
import type { TaskOutcomes } from "./task-outcomes.ts";

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
