import { causeText } from "../core/errors.ts";
import type { Job } from "../core/executor.ts";
import { type Attempt, failed, RunFailure } from "../core/run.ts";
import { isOfTheRun } from "./seal.ts";

/** A job on its way, with what to call when it ends. */
export interface Task {
  job: Job;
  resolve(attempt: Attempt): void;
  reject(error: unknown): void;
}

export function unstarted(outcome: Attempt["outcome"]): Attempt {
  return { outcome, metrics: {}, startedAtMs: Date.now(), wallMs: 0 };
}

/** How a run ended because of what it, or an earlier attempt, made of its folder; any other error stops the study. */
export function undone(error: unknown): Attempt {
  if (error instanceof RunFailure) return unstarted(failed(error.owner, error.message));
  if (isOfTheRun(error))
    return unstarted(failed("infrastructure", `its folder could not be used (${causeText(error)})`));
  throw error;
}

/** Threads end by themselves only when what they run ends them. */
export function left(exitCode: number): Attempt {
  return unstarted(failed("agent", `the module called process.exit(${exitCode})`, exitCode));
}

export function crashed(reason: string, wallMs: number): Attempt {
  return { outcome: failed("infrastructure", reason), metrics: {}, startedAtMs: Date.now() - wallMs, wallMs };
}
