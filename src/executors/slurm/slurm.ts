import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import type { Executor, Job, Setting } from "../../core/executor.ts";
import type { Attempt, Outcome } from "../../core/run.ts";
import { readJson, readJsonIfAny } from "../../host/files.ts";
import { isAlive, type Living, processHost } from "../../host/processes.ts";
import { unstarted } from "../task.ts";
import { ArrayWatch } from "./array-watch.ts";
import { ArrayTask, Batch } from "./batch.ts";
import { type Assigned, appendLine, chunkPath, type Order, readLines, type Verdict } from "./batch-files.ts";
import { PackSize } from "./pack-size.ts";
import { RunBook } from "./run-book.ts";
import { slurmTime } from "./sbatch-words.ts";
import { cancelJobs, findJob, mostTasks } from "./slurm-commands.ts";
import { batchesDir, jobName } from "./submit-batch.ts";
import { SETTLE_MS, Submitter } from "./submitter.ts";

/** Runs under way at most, in Slurm and on their way to it: so many small objects, whatever the study's size. */
const WINDOW = 4096;
const QUICK_LOOK_MS = 100;
const SLOW_LOOK_MS = 2000;
const QUICK_ASK_MS = 1000;
const SLOW_ASK_MS = 10_000;
/** While the study ends, somebody waits at a terminal. */
const ENDING_ASK_MS = 250;
/** Tasks that were cancelled and are still there after this are left to Slurm. */
const CANCEL_PATIENCE_MS = 20_000;

/**
 * Runs jobs as job arrays of a Slurm cluster. What tasks write comes back through the file system that all machines
 * share; Slurm itself is asked once for all, and only about what writes nothing. Asking and submitting may take long
 * where the controller is busy, so reading results never waits for them.
 */
export class SlurmExecutor implements Executor {
  readonly name = "slurm";
  readonly capacity: number;
  readonly #setting: Setting;
  readonly #book = new RunBook();
  readonly #watch: ArrayWatch;
  readonly #submitter: Submitter;
  #notify: (text: string) => void = () => {};
  #signal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #submitting: Promise<void> | undefined;
  #cancelling: Promise<void> = Promise.resolve();
  #lookMs = QUICK_LOOK_MS;
  #askMs = QUICK_ASK_MS;
  #askedAtMs = 0;
  #cancelledAtMs: number | undefined;
  #isClosed = false;

  private constructor(setting: Setting, mostTasks: number) {
    this.#setting = setting;
    this.capacity = windowOf(setting);
    const pack = new PackSize(setting.slurm ?? {});
    const onNotice = (text: string) => this.#notify(text);
    this.#watch = new ArrayWatch(this.#book, setting.studyDir, {
      onRun: (wallMs) => pack.learn(wallMs),
      onUp: () => pack.begin(performance.now()),
      onNotice,
      onBroken: (error) => this.#break(error),
    });
    const window = this.capacity;
    this.#submitter = new Submitter({
      setting,
      book: this.#book,
      watch: this.#watch,
      pack,
      mostTasks,
      window,
      onNotice,
    });
  }

  /** Also takes up what an earlier launch of the study left in Slurm. */
  static async create(setting: Setting): Promise<SlurmExecutor> {
    if (setting.slurm?.time !== undefined) slurmTime(setting.slurm.time);
    const executor = new SlurmExecutor(setting, await mostTasks());
    for (const batch of await adoptBatches(setting, executor.#book)) executor.#watch.add(batch);
    executor.#watch.read();
    await executor.#watch.ask();
    executor.#schedule(QUICK_LOOK_MS);
    return executor;
  }

  listen(onNotice: (text: string) => void): void {
    this.#notify = onNotice;
  }

  execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    if (this.#signal !== signal) {
      this.#signal = signal;
      signal.addEventListener("abort", () => this.#end({ status: "cancelled" }), { once: true });
    }
    if (signal.aborted) return Promise.resolve(unstarted({ status: "cancelled" }));
    if (this.#watch.ending) return Promise.resolve(unstarted(this.#watch.ending));
    this.#submitter.arrive();
    const result = this.#book.claim(job);
    if (this.#book.waiting === 1) this.#schedule(SETTLE_MS);
    return result;
  }

  cancel(runId: string, outcome: Outcome): void {
    const entry = this.#book.find(runId);
    if (!entry) return;
    for (const batch of this.#watch.live) {
      const isInIt = batch.tasks.some((task) => task.entries.has(entry));
      if (isInIt) appendLine(`${batch.dir}/orders.jsonl`, { kind: "cancel", run: runId, outcome });
    }
    // One that has begun comes back by itself, with its files in order.
    if (!entry.isBegun) this.#book.release([entry], outcome);
  }

  drain(): void {
    if (!this.#watch.ending) this.#end({ status: "skipped" });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#asking, this.#submitting, this.#cancelling]);
    const { all, live } = this.#watch;
    // Runs that the study no longer has; and Slurm may hold a copy of a task that had finished by its own word.
    for (const batch of live) batch.stop();
    await cancelJobs(all.map(({ jobId }) => jobId));
    for (const batch of all) batch.close();
    removeEmpty(batchesDir(this.#setting.studyDir));
  }

  /** Begins nothing more: what Slurm has not started is taken back; what runs finishes, or is ended too. */
  #end(outcome: Outcome): void {
    this.#watch.ending = outcome;
    const unsubmitted = [...this.#book.open].filter(({ isSubmitted }) => !isSubmitted);
    this.#book.release(unsubmitted, outcome);
    const isPendingOnly = outcome.status === "skipped";
    const before = this.#cancelling;
    this.#cancelling = (async () => {
      await Promise.all([before, this.#submitting]);
      const live = this.#watch.live;
      for (const batch of live) batch.stop();
      const jobIds = live.map(({ jobId }) => jobId);
      await cancelJobs(jobIds, { isPendingOnly });
      if (!isPendingOnly) this.#cancelledAtMs ??= performance.now();
    })().catch((error) => this.#break(error));
    this.#schedule(0);
  }

  #break(error: unknown): void {
    for (const entry of [...this.#book.open]) this.#book.reject(entry, error);
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      try {
        this.#look();
      } catch (error) {
        this.#break(error);
      }
      this.#schedule(this.#lookMs);
    }, delayMs);
  }

  /** One round: what tasks wrote, what Slurm says of the others, and what can be submitted. */
  #look(): void {
    const nowMs = performance.now();
    const isNew = this.#watch.read();
    const isEnding = this.#watch.ending !== undefined;
    this.#lookMs = isNew || isEnding ? QUICK_LOOK_MS : Math.min(SLOW_LOOK_MS, this.#lookMs * 1.2);
    if (this.#cancelledAtMs !== undefined && nowMs - this.#cancelledAtMs > CANCEL_PATIENCE_MS)
      this.#book.release([...this.#book.open], { status: "cancelled" });
    const isTimeToAsk = nowMs - this.#askedAtMs >= (isEnding ? ENDING_ASK_MS : this.#askMs);
    if (isTimeToAsk)
      this.#asking ??= this.#ask()
        .catch((error) => this.#break(error))
        .finally(() => {
          this.#asking = undefined;
        });
    this.#submitting ??= this.#submit()
      .catch((error) => this.#break(error))
      .finally(() => {
        this.#submitting = undefined;
      });
  }

  async #ask(): Promise<void> {
    const isChanged = await this.#watch.ask();
    this.#askedAtMs = performance.now();
    this.#askMs = isChanged ? QUICK_ASK_MS : Math.min(SLOW_ASK_MS, this.#askMs * 1.3);
  }

  async #submit(): Promise<void> {
    if (!(await this.#submitter.submitDue())) return;
    this.#askMs = QUICK_ASK_MS;
    this.#lookMs = QUICK_LOOK_MS;
  }
}

/** A worker of a sweep takes no more than can run: its searcher should know results before it proposes. */
function windowOf({ env, jobs, slurm = {} }: Setting): number {
  if (env.ASSAY_RUNNER === undefined) return WINDOW;
  return Math.min(WINDOW, (slurm.concurrent ?? jobs) * (slurm.pack ?? 1));
}

function removeEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // It has logs of tasks that went wrong, batches of another worker, or is not there at all.
  }
}

/**
 * The batches that an earlier launch left in Slurm when it was killed, oldest first. Their runs go into the book: what
 * has ended is there for whoever asks, what is under way is followed, the rest is submitted again.
 */
async function adoptBatches(setting: Setting, book: RunBook): Promise<Batch[]> {
  const root = batchesDir(setting.studyDir);
  const names = existsSync(root) ? readdirSync(root).sort() : [];
  const adopted: Batch[] = [];
  for (const name of names) {
    const dir = `${root}/${name}`;
    if (isAnothers(dir, setting)) continue;
    const jobId = existsSync(`${dir}/closed`) ? undefined : await jobOf(dir, setting.studyDir);
    if (jobId === undefined) rmSync(dir, { recursive: true, force: true });
    else adopted.push(readBatch(dir, jobId, book));
  }
  return adopted;
}

function readBatch(dir: string, jobId: string, book: RunBook): Batch {
  const batch = new Batch(dir, jobId);
  batch.isStopped = readLines<Order>(`${dir}/orders.jsonl`).some(({ kind }) => kind === "stop");
  for (let index = 0; existsSync(chunkPath(dir, index)); index++) {
    const entries = readJson<Assigned[]>(chunkPath(dir, index)).map((assigned) => book.adopt(assigned));
    batch.tasks.push(new ArrayTask(batch, index, entries));
  }
  for (const { run, attempt, result } of readLines<Verdict>(`${dir}/verdicts.jsonl`)) {
    const entry = book.find(run, attempt);
    if (entry) book.finish(entry, result);
  }
  return batch;
}

/** A killed launch may have submitted a batch without writing its id down. */
async function jobOf(dir: string, studyDir: string): Promise<string | undefined> {
  const job = readJsonIfAny<{ jobId: string }>(`${dir}/job.json`);
  return job?.jobId ?? findJob(jobName(studyDir, dir));
}

/** Of a sweep's workers each has batches of its own; a study without any has one runner, by its lock. */
function isAnothers(dir: string, { env }: Setting): boolean {
  if (env.ASSAY_RUNNER === undefined) return false;
  const owner = readJsonIfAny<Living>(`${dir}/owner.json`);
  if (!owner) return false;
  const isOwn = owner.host === processHost() && owner.pid === process.pid;
  return !isOwn && isAlive(owner);
}
