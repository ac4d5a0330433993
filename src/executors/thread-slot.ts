import { Worker } from "node:worker_threads";
import { MachineError, UserError } from "../core/errors.ts";
import type { Job, Setting } from "../core/executor.ts";
import { type Attempt, type Outcome, timedOut } from "../core/run.ts";
import { startTimer } from "../host/clock.ts";
import { entryPath, redactorFor } from "../host/environment.ts";
import { marksOf } from "../host/processes.ts";
import { RunFolder } from "./run-folder.ts";
import { crashed, left, type Task, unstarted } from "./task.ts";

interface Listeners {
  onResults(runs: number, wallMs: number): void;
  onFree(): void;
  /** Jobs of a batch that never ran because the thread ended before them. */
  onReturned(tasks: Task[]): void;
}

/** From a thread: results by position in the batch, or what stops the study. */
export type ThreadMessage =
  | { kind: "results"; from: number; attempts: Attempt[] }
  | { kind: "broken"; message: string; isUsers: boolean; isMachines: boolean };

/** To a thread: jobs to run, or the order to end the current one. */
export type ThreadOrder =
  | { kind: "jobs"; jobs: Job[] }
  /** By position in the batch: the run that is meant may have ended when the thread hears of it. */
  | { kind: "abort"; position: number }
  | { kind: "close" };

/** A module may post messages of its own, as it would in a thread that it had started itself. */
function isOurs(message: unknown): message is ThreadMessage {
  const { kind, from, attempts, isUsers } = (message ?? {}) as Record<string, unknown>;
  if (kind === "results") return typeof from === "number" && Array.isArray(attempts);
  return kind === "broken" && typeof isUsers === "boolean";
}

const LOOK_MS = 20;
/** Starting a thread, loading the target and its `setup` get this long on top of the first run's own time. */
const LOAD_MS = 60_000;

/** One thread of the pool, replaced when it ends. */
export class ThreadSlot {
  readonly #setting: Setting;
  readonly #listeners: Listeners;
  /** The position in the batch of the run that is under way, written by the thread; -1 before the first. */
  readonly #position = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker | undefined;
  #tasks: Task[] = [];
  #done = 0;
  #watch: NodeJS.Timeout | undefined;
  #ending: "timeout" | "cancelled" | undefined;
  /** The one run that the thread is being ended for, and why. */
  #unwanted: { runId: string; outcome: Outcome } | undefined;

  constructor(setting: Setting, listeners: Listeners) {
    this.#setting = setting;
    this.#listeners = listeners;
  }

  get isFree(): boolean {
    return this.#tasks.length === 0;
  }

  start(tasks: Task[]): void {
    this.#tasks = tasks;
    this.#done = 0;
    this.#ending = undefined;
    // A thread that was ended for a run which was quicker is gone, or about to be.
    if (this.#unwanted) this.#worker = undefined;
    this.#unwanted = undefined;
    this.#position[0] = -1;
    this.#worker ??= this.#newWorker(tasks[0]?.job.env);
    this.#worker.postMessage({ kind: "jobs", jobs: tasks.map(({ job }) => job) } satisfies ThreadOrder);
    if (this.#setting.limits.timeoutMs > 0) this.#watchClock();
  }

  /** Ends the run under way at once. */
  cancel(): void {
    if (this.isFree) return;
    this.#ending = "cancelled";
    void this.#worker?.terminate();
  }

  /** Ends one run of the batch at once; the thread is replaced and the others run elsewhere. */
  cancelRun(runId: string, outcome: Outcome): void {
    const index = this.#tasks.findIndex(({ job }) => job.run.id === runId);
    if (index < this.#done || this.#ending === "cancelled") return;
    this.#unwanted = { runId, outcome };
    void this.#worker?.terminate();
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage({ kind: "close" } satisfies ThreadOrder);
    const stop = startTimer(this.#setting.limits.graceMs, () => void worker.terminate());
    await ended;
    stop();
  }

  #newWorker(env: Job["env"]): Worker {
    const isMute = this.#setting.artifacts === "none";
    const worker = new Worker(entryPath("thread-worker"), {
      workerData: { setting: this.#setting, position: this.#position },
      // Programs that a target starts carry the study's marker, so that none outlives the study.
      env: { ...process.env, ...this.#setting.env, ...env, ...marksOf(this.#setting.studyDir) },
      stdout: isMute,
      stderr: isMute,
    });
    if (isMute) for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    let problem: Error | undefined;
    worker.on("message", (message: unknown) => {
      if (isOurs(message)) this.#receive(message);
    });
    worker.on("error", (error) => {
      problem = error;
    });
    worker.on("exit", (code) => this.#exited(worker, problem ? crashed(problem.message, 0) : left(code)));
    return worker;
  }

  #receive(message: ThreadMessage): void {
    if (message.kind === "broken") {
      const error = message.isUsers
        ? new UserError(message.message)
        : message.isMachines
          ? new MachineError(message.message)
          : new Error(message.message);
      const tasks = this.#take();
      for (const { reject } of tasks) reject(error);
      return;
    }
    let wallMs = 0;
    // It ended when asked to, and says itself that it was late.
    if (this.#ending === "timeout") this.#ending = undefined;
    for (const [i, attempt] of message.attempts.entries()) {
      wallMs += attempt.wallMs;
      this.#tasks[message.from + i]!.resolve(attempt);
    }
    this.#done = message.from + message.attempts.length;
    this.#listeners.onResults(message.attempts.length, wallMs);
    if (this.#done === this.#tasks.length) {
      this.#take();
      this.#listeners.onFree();
    }
  }

  #take(): Task[] {
    const rest = this.#tasks.slice(this.#done);
    this.#tasks = [];
    clearInterval(this.#watch);
    return rest;
  }

  #exited(worker: Worker, attempt: Attempt): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    if (this.isFree) return;
    // A thread that ends before its first run would do so again with any other.
    const position = this.#unwantedIndex ?? Math.max(0, this.#position[0]!);
    const culprit = this.#tasks[position];
    const isCulpritOpen = position >= this.#done;
    const rest = this.#take().filter((task) => task !== culprit);
    if (culprit && isCulpritOpen) culprit.resolve(this.#conclude(culprit.job, this.#judge() ?? attempt));
    if (this.#ending === "cancelled")
      for (const { resolve } of rest) resolve(unstarted({ status: "cancelled" }));
    else this.#listeners.onReturned(rest);
    this.#listeners.onFree();
  }

  get #unwantedIndex(): number | undefined {
    const runId = this.#unwanted?.runId;
    return runId === undefined ? undefined : this.#tasks.findIndex(({ job }) => job.run.id === runId);
  }

  /** Writes what the ended thread no longer could. */
  #conclude(job: Job, attempt: Attempt): Attempt {
    if (this.#setting.artifacts === "none") return attempt;
    const folder = new RunFolder(job, this.#setting, redactorFor(this.#setting));
    if (folder.isUnderWay) folder.end(attempt, [], process.cwd());
    return attempt;
  }

  /** How the run under way ended, where the thread was ended for it. */
  #judge(): Attempt | undefined {
    const { timeoutMs } = this.#setting.limits;
    if (this.#ending === "cancelled") return unstarted({ status: "cancelled" });
    if (this.#unwanted) return unstarted(this.#unwanted.outcome);
    if (this.#ending === "timeout") {
      return { ...unstarted(timedOut(timeoutMs)), startedAtMs: Date.now() - timeoutMs, wallMs: timeoutMs };
    }
    return undefined;
  }

  /** A run that is past its time is asked to end, then its thread is ended. */
  #watchClock(): void {
    const { timeoutMs, graceMs } = this.#setting.limits;
    let position = this.#position[0]!;
    let since = performance.now();
    let askedAt: number | undefined;
    clearInterval(this.#watch);
    this.#watch = setInterval(() => {
      if (this.#position[0]! !== position) {
        position = this.#position[0]!;
        since = performance.now();
        // Who was asked has ended by itself; the next one may be late, too.
        askedAt = undefined;
        if (this.#ending === "timeout") this.#ending = undefined;
        return;
      }
      const now = performance.now();
      // Not from its start: a machine that stood still would give it no time to end by itself.
      if (askedAt !== undefined && now - askedAt > graceMs) void this.#worker?.terminate();
      if (now - since - (position < 0 ? LOAD_MS : 0) > timeoutMs && this.#ending === undefined) {
        askedAt = now;
        this.#ending = "timeout";
        this.#worker?.postMessage({ kind: "abort", position } satisfies ThreadOrder);
      }
    }, LOOK_MS);
  }
}
