import type { BootstrapOptions } from "../intervals/bootstrap-options.ts";
import type { Result } from "../result.ts";
import { type PassRate, passRate } from "./pass-rate.ts";
import type { TaskOutcomes } from "./task-outcomes.ts";

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
