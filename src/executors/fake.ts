import type { Clock } from "../core/clock.ts";
import { type Attempt, OK, type Run } from "../core/run.ts";
import type { Executor, Job } from "./executor.ts";

/** What a run would do: how long it takes, and how it ends. */
export interface Script {
  durationMs: number;
  attempt?: Partial<Attempt>;
}

/** Carries out nothing: runs take virtual time and end as a script says. For tests of the engine. */
export class FakeExecutor implements Executor {
  readonly name = "fake";
  readonly capacity: number;
  /** Every job, in the order in which they came. */
  readonly jobs: Job[] = [];
  readonly #clock: Clock;
  readonly #script: (run: Run, attempt: number) => Script;

  constructor(clock: Clock, capacity: number, script: (run: Run, attempt: number) => Script) {
    this.#clock = clock;
    this.capacity = capacity;
    this.#script = script;
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    this.jobs.push(job);
    const { durationMs, attempt } = this.#script(job.run, job.attempt);
    const start = this.#clock.now();
    const startedAtMs = this.#clock.wallTime();
    await this.#clock.sleep(durationMs, signal);
    const wallMs = this.#clock.now() - start;
    const outcome = signal.aborted ? ({ status: "cancelled" } as const) : OK;
    return { outcome, metrics: {}, startedAtMs, wallMs, ...(signal.aborted ? {} : attempt) };
  }

  drain(): void {}

  async close(): Promise<void> {}
}
