import type { Attempt, Outcome, Run } from "../core/run.ts";

/** Makes metrics of what a run left. One that can't is no fault of the run's: its attempt has failed, the run has not. */
export interface Scorer {
  name: string;
  /** In front of its metrics; empty where the study does not name it. */
  prefix: string;
  /** Which state of it this is: with another one, outputs are scored again. */
  version: string;
  score(run: Run, signal: AbortSignal): Promise<Attempt>;
  cancel?(runId: string, outcome: Outcome): void;
  close(): Promise<void>;
}
