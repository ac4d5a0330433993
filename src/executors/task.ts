import type { Job } from "../core/executor.ts";
import { type Attempt, failed } from "../core/run.ts";

/** A job on its way, with what to call when it ends. */
export interface Task {
  job: Job;
  resolve(attempt: Attempt): void;
  reject(error: unknown): void;
}

export function unstarted(outcome: Attempt["outcome"]): Attempt {
  return { outcome, metrics: {}, startedAtMs: Date.now(), wallMs: 0 };
}

/** Threads end by themselves only when what they run ends them. */
export function left(exitCode: number): Attempt {
  return unstarted(failed("agent", `the module called process.exit(${exitCode})`, exitCode));
}

export function crashed(reason: string, wallMs: number): Attempt {
  return { outcome: failed("infrastructure", reason), metrics: {}, startedAtMs: Date.now() - wallMs, wallMs };
}
