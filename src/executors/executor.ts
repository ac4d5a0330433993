import type { Attempt, Run } from "../core/run.ts";
import type { InstrumentRef, Limits, Study, TargetRef } from "../core/study.ts";

/** What all runs of a study share, as plain data: it can travel to another thread, process or machine. */
export interface Setting {
  target: TargetRef;
  studyDir: string;
  /** The folder of the study file. */
  baseDir: string;
  artifacts: Study["artifacts"];
  limits: Limits;
  warmup: number;
  instruments: InstrumentRef[];
  env: Record<string, string>;
  jobs: number;
}

/** One try at a run, as plain data. */
export interface Job {
  run: Run;
  attempt: number;
}

/**
 * Carries out jobs. A failed run is a result like any other; only what stops the whole study (a full disk, a
 * bug) is thrown. When the signal aborts, what runs is ended at once and comes back as cancelled.
 */
export interface Executor {
  name: string;
  /** How many jobs may be under way now. */
  readonly capacity: number;
  execute(job: Job, signal: AbortSignal): Promise<Attempt>;
  /** Gives back what has not started yet as skipped; lets what runs finish. */
  drain(): void;
  /** Ends what the executor keeps alive between jobs. */
  close(): Promise<void>;
}
