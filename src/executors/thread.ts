import { availableParallelism } from "node:os";
import type { Executor, Job, Setting } from "../core/executor.ts";
import type { Attempt, Outcome } from "../core/run.ts";
import { reapMarked } from "../host/processes.ts";
import { type Task, unstarted } from "./task.ts";
import { ThreadSlot } from "./thread-slot.ts";

/** Runs longer than this are handed out one at a time. */
const SHORT_RUN_MS = 0.5;
const MOST_IN_A_BATCH = 512;

/**
 * Runs module targets in a pool of worker threads. Short runs travel in batches, since a message costs more
 * than they do; a batch grows while runs stay short and falls back to one when they don't. A thread that
 * crashes or hangs is replaced: its run is recorded, the others of its batch go to another thread.
 */
export class ThreadExecutor implements Executor {
  readonly name = "thread";
  #setting: Setting;
  readonly #slots: ThreadSlot[] = [];
  readonly #waiting: Task[] = [];
  readonly #known = new WeakSet<AbortSignal>();
  #batch = 1;
  #isScheduled = false;
  #isAborted = false;

  constructor(setting: Setting) {
    this.#setting = { ...setting, jobs: setting.jobs || availableParallelism() };
  }

  get capacity(): number {
    // Two batches a thread, so that none waits while its results are written down.
    return this.#setting.jobs * (this.#batch === 1 ? 1 : 2 * this.#batch);
  }

  resize(jobs: number): void {
    this.#setting = { ...this.#setting, jobs };
  }

  execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    if (!this.#known.has(signal)) {
      this.#known.add(signal);
      signal.addEventListener("abort", () => this.#abort(), { once: true });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#schedule();
    });
  }

  cancel(runId: string, outcome: Outcome): void {
    const index = this.#waiting.findIndex(({ job }) => job.run.id === runId);
    if (index >= 0) this.#waiting.splice(index, 1)[0]!.resolve(unstarted(outcome));
    else for (const slot of this.#slots) slot.cancelRun(runId, outcome);
  }

  drain(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(unstarted({ status: "skipped" }));
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.close()));
    this.#slots.length = 0;
    await reapMarked(this.#setting, () => false);
  }

  /** Hands out work once a turn of the event loop, so that jobs which arrive together travel together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.#isAborted) this.#cancelWaiting();
      while (this.#waiting.length > 0) {
        const slot = this.#freeSlot();
        if (!slot) return;
        const share = Math.ceil(this.#waiting.length / this.#setting.jobs);
        const tasks = this.#waiting.splice(0, Math.max(1, Math.min(this.#batch, share)));
        slot.start(tasks);
      }
    });
  }

  #freeSlot(): ThreadSlot | undefined {
    const free = this.#slots.find((slot) => slot.isFree);
    if (free || this.#slots.length >= this.#setting.jobs) return free;
    const slot = new ThreadSlot(this.#setting, {
      onResults: (runs, wallMs) => this.#adapt(runs, wallMs),
      onFree: () => this.#schedule(),
      onReturned: (tasks) => {
        this.#batch = 1;
        this.#waiting.unshift(...tasks);
        this.#schedule();
      },
    });
    this.#slots.push(slot);
    return slot;
  }

  #adapt(runs: number, wallMs: number): void {
    if (this.#setting.artifacts !== "none") return;
    if (wallMs / runs > SHORT_RUN_MS) this.#batch = 1;
    else this.#batch = Math.min(MOST_IN_A_BATCH, this.#batch * 2);
  }

  #abort(): void {
    this.#isAborted = true;
    this.#cancelWaiting();
    for (const slot of this.#slots) slot.cancel();
  }

  #cancelWaiting(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(unstarted({ status: "cancelled" }));
  }
}
