import type { Clock } from "../../src/core/clock.ts";
import type { Executor, Job } from "../../src/core/executor.ts";
import { type Attempt, OK, type Outcome, type Run } from "../../src/core/run.ts";

/** What a run would do: how long it takes, and how it ends. */
export interface Script {
  durationMs: number;
  attempt?: Partial<Attempt>;
}

/** Carries out nothing: runs take virtual time and end as a script says. For tests of the engine. */
export class FakeExecutor implements Executor {
  readonly name = "fake";
  capacity: number;
  /** Every job, in the order in which they came. */
  readonly jobs: Job[] = [];
  /** How to end what is under way, by the run's id. */
  readonly #underWay = new Map<string, AbortController>();
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
    const end = new AbortController();
    this.#underWay.set(job.run.id, end);
    await this.#clock.sleep(durationMs, AbortSignal.any([signal, end.signal]));
    this.#underWay.delete(job.run.id);
    const wallMs = this.#clock.now() - start;
    const base = { outcome: OK, metrics: {}, startedAtMs, wallMs };
    if (signal.aborted) return { ...base, outcome: { status: "cancelled" } };
    if (end.signal.aborted) return { ...base, outcome: end.signal.reason as Outcome };
    return { ...base, ...attempt };
  }

  cancel(runId: string, outcome: Outcome): void {
    this.#underWay.get(runId)?.abort(outcome);
  }

  resize: Executor["resize"] = (jobs) => {
    this.capacity = jobs;
  };

  drain(): void {}

  async close(): Promise<void> {}
}
