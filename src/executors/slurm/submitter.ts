import type { Setting } from "../../core/executor.ts";
import type { ArrayWatch } from "./array-watch.ts";
import type { Batch } from "./batch.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { PackSize } from "./pack-size.ts";
import type { Entry, RunBook } from "./run-book.ts";
import { SlurmBusy, SlurmFull, setThrottle } from "./slurm-commands.ts";
import { submitBatch } from "./submit-batch.ts";

/** One array has no more tasks than this, even where the cluster allows more: it is written down in one go. */
const MOST_TASKS = 1000;
/** Jobs that arrive together are submitted together. */
export const SETTLE_MS = 50;
/** How long a controller that does not answer is asked again. */
const BUSY_PATIENCE_MS = 10 * 60_000;
const PAUSE_MS = 5000;

interface Submission {
  setting: Setting;
  book: RunBook;
  watch: ArrayWatch;
  pack: PackSize;
  /** Of one array, as the cluster has it. */
  mostTasks: number;
  /** Of runs under way at all. */
  window: number;
  onNotice(text: string): void;
}

/** Decides when runs that wait are submitted, and in which packs: in few large arrays rather than in many small ones. */
export class Submitter {
  readonly #submission: Submission;
  readonly #throttle: Throttle;
  #mostTasks: number;
  #arrivedAtMs = 0;
  #busySinceMs: number | undefined;
  #pauseUntilMs = 0;

  constructor(submission: Submission) {
    this.#submission = submission;
    this.#mostTasks = Math.min(submission.mostTasks, MOST_TASKS);
    this.#throttle = new Throttle(submission.setting.slurm?.concurrent);
  }

  /** A job has arrived: more may follow at once. */
  arrive(): void {
    this.#arrivedAtMs = performance.now();
  }

  /** Submits what waits, if it is time; tells whether it did. */
  async submitDue(): Promise<boolean> {
    const { book, watch, pack: size } = this.#submission;
    await this.#throttle.adjust(watch.live);
    const nowMs = performance.now();
    const room = this.#throttle.room(watch.live);
    if (!this.#isDue(nowMs, room)) return false;
    const { runs, pack } = size.next(book.waiting, { nowMs, out: book.submitted });
    const chunks = chunksOf(book.takeWaiting(Math.min(runs, pack * this.#mostTasks)), pack);
    for (const entry of chunks.splice(this.#mostTasks).flat()) book.putBack(entry);
    if (chunks.length > 0) await this.#submit(chunks, room);
    return chunks.length > 0;
  }

  /** Where Slurm has enough of ours to go on with, what waits can wait for company. */
  #isDue(nowMs: number, room: number | undefined): boolean {
    const { book, watch, window } = this.#submission;
    const { waiting } = book;
    if (waiting === 0 || watch.ending || nowMs < this.#pauseUntilMs) return false;
    const isSettled = nowMs - this.#arrivedAtMs >= SETTLE_MS || waiting >= window;
    if (!isSettled) return false;
    return room === undefined ? waiting >= window / 4 || !watch.hasUnstarted : room > 0;
  }

  async #submit(chunks: Entry[][], room: number | undefined): Promise<void> {
    const { setting, book, watch } = this.#submission;
    const slurm = { ...setting.slurm, ...(room !== undefined && { concurrent: room }) };
    try {
      const batch = await submitBatch({ ...setting, slurm }, chunks);
      this.#throttle.begin(batch, room);
      watch.add(batch);
      this.#busySinceMs = undefined;
      this.#mostTasks = Math.min(2 * this.#mostTasks, MOST_TASKS, this.#submission.mostTasks);
    } catch (error) {
      if (error instanceof SlurmFull) this.#takeLess(error, chunks.length);
      else if (error instanceof SlurmBusy) this.#waitFor(error);
      else throw error;
      for (const entry of chunks.flat()) book.putBack(entry);
    }
  }

  /** Smaller arrays, or the same when some of ours have ended; one task that is refused alone is refused for good. */
  #takeLess(error: SlurmFull, tasks: number): void {
    if (tasks === 1 && this.#submission.watch.live.length === 0) throw explainRefusal(error.message);
    this.#mostTasks = Math.max(1, Math.floor(tasks / 2));
    if (tasks === 1) this.#pauseUntilMs = performance.now() + PAUSE_MS;
  }

  #waitFor(error: SlurmBusy): void {
    const nowMs = performance.now();
    this.#busySinceMs ??= nowMs;
    if (nowMs - this.#busySinceMs > BUSY_PATIENCE_MS) throw error;
    this.#submission.onNotice(`Slurm took no job (${error.message}); trying again`);
    this.#pauseUntilMs = nowMs + PAUSE_MS;
  }
}

/** Packs of that size; runs that had a task die under them go alone. */
function chunksOf(entries: Entry[], pack: number): Entry[][] {
  const chunks = entries.filter(({ goesAlone }) => goesAlone).map((entry) => [entry]);
  const others = entries.filter(({ goesAlone }) => !goesAlone);
  for (let at = 0; at < others.length; at += pack) chunks.push(others.slice(at, at + pack));
  return chunks;
}

/**
 * Keeps all arrays of a study together to the tasks that may run at once: Slurm's own `%N` knows one array only. Older
 * arrays go first; a newer one gets what they leave, and more as they end.
 */
class Throttle {
  readonly #concurrent: number | undefined;
  readonly #given = new Map<Batch, number>();

  constructor(concurrent: number | undefined) {
    this.#concurrent = concurrent;
  }

  /** Tasks that a further array may run at once: 0 is none for now, undefined no bound. */
  room(live: readonly Batch[]): number | undefined {
    if (this.#concurrent === undefined) return undefined;
    return Math.max(0, this.#concurrent - live.reduce((sum, batch) => sum + batch.unfinished, 0));
  }

  begin(batch: Batch, share: number | undefined): void {
    if (share !== undefined) this.#given.set(batch, share);
  }

  /** Hands what ended arrays leave to those that are still there. */
  async adjust(live: readonly Batch[]): Promise<void> {
    let left = this.#concurrent ?? 0;
    for (const batch of live) {
      const given = this.#given.get(batch);
      if (given !== undefined && given < left) {
        this.#given.set(batch, left);
        await setThrottle(batch.jobId, left);
      }
      left = Math.max(0, left - batch.unfinished);
    }
  }
}
