import type { Job } from "../../core/executor.ts";
import { type Attempt, type EarlierAttempt, failed, type Outcome } from "../../core/run.ts";
import { unstarted } from "../task.ts";
import type { Assigned } from "./batch-files.ts";

/** A run that was under way so often when the cluster ended its task is given up. */
export const MOST_KILLS = 3;
/** Tasks that end before a run could begin are replaced this often. */
const MOST_MOVES = 5;

/** One try at a run: asked for by the engine, left in Slurm by an earlier launch, or both. */
export interface Entry extends Assigned {
  isBegun: boolean;
  /** Under way when its task died: it gets a task of its own, where it can hurt no other run. */
  goesAlone: boolean;
  /** What its task said of it when told to end. */
  cut?: { wallMs: number; costUsd?: number; isPreempted?: true };
  isSubmitted: boolean;
  waiter?: { resolve(attempt: Attempt): void; reject(error: unknown): void };
  /** Known before anybody asked. */
  result?: Attempt;
}

/** Knows every run that is under way, by run and attempt, and which of them wait to be submitted. */
export class RunBook {
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<Entry>();
  /** By run: how many tries died without a word that failed attempts have told of. */
  readonly #told = new Map<string, number>();

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Handed to Slurm, and not ended yet. */
  get submitted(): number {
    return [...this.#entries.values()].filter(({ isSubmitted, result }) => isSubmitted && !result).length;
  }

  get open(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** The result of this try: of one that an earlier launch left, or of one that is yet to be submitted. */
  claim(job: Job): Promise<Attempt> {
    const key = keyOf(job.run.id, job.attempt);
    const told = this.#told.get(job.run.id);
    const entry: Entry =
      this.#entries.get(key) ?? newEntry({ job: told ? { ...job, told } : job, kills: 0, moves: 0 });
    this.#entries.set(key, entry);
    return new Promise((resolve, reject) => {
      entry.waiter = { resolve, reject };
      if (entry.result) this.finish(entry, entry.result);
      else if (!entry.isSubmitted) this.#waiting.add(entry);
    });
  }

  /** A try that an earlier launch submitted: the newest batch that has it is where it may still be. */
  adopt(assigned: Assigned): Entry {
    const { run, attempt } = assigned.job;
    const entry = newEntry(assigned);
    entry.isSubmitted = true;
    const before = this.#entries.get(keyOf(run.id, attempt));
    if (before?.result) entry.result = before.result;
    this.#entries.set(keyOf(run.id, attempt), entry);
    return entry;
  }

  find(runId: string, attempt?: number): Entry | undefined {
    if (attempt !== undefined) return this.#entries.get(keyOf(runId, attempt));
    return [...this.#entries.values()].find(({ job }) => job.run.id === runId);
  }

  /** Whether this is still what is known of the try, and not an older batch's idea of it. */
  isCurrent(entry: Entry): boolean {
    return this.#entries.get(keyOf(entry.job.run.id, entry.job.attempt)) === entry;
  }

  takeWaiting(count: number): Entry[] {
    const taken = [...this.#waiting].slice(0, count);
    for (const entry of taken) {
      this.#waiting.delete(entry);
      entry.isSubmitted = true;
    }
    return taken;
  }

  /** It could not be submitted yet. */
  putBack(entry: Entry): void {
    entry.isSubmitted = false;
    if (entry.waiter && this.isCurrent(entry)) this.#waiting.add(entry);
  }

  finish(entry: Entry, result: Attempt): void {
    if (!this.isCurrent(entry)) return;
    this.#waiting.delete(entry);
    entry.result = result;
    if (!entry.waiter) return;
    this.#entries.delete(keyOf(entry.job.run.id, entry.job.attempt));
    entry.waiter.resolve(result);
  }

  /** The attempt ends as what its task came to, with what is known of its last try. */
  fail(entry: Entry, outcome: Outcome, last: EarlierAttempt | undefined): Attempt {
    const { cut = last, lost, job, isBegun } = entry;
    const silent = (lost ?? []).filter(({ wallMs }) => wallMs === 0).length + (isBegun && !entry.cut ? 1 : 0);
    this.#told.set(job.run.id, (this.#told.get(job.run.id) ?? 0) + silent);
    const attempt = unstarted(outcome);
    if (!cut) return withLost(attempt, lost);
    const { wallMs, costUsd } = cut;
    const times = { startedAtMs: attempt.startedAtMs - wallMs, wallMs };
    return withLost({ ...attempt, ...times, ...(costUsd !== undefined && { costUsd }) }, lost);
  }

  reject(entry: Entry, error: unknown): void {
    this.#waiting.delete(entry);
    this.#entries.delete(keyOf(entry.job.run.id, entry.job.attempt));
    entry.waiter?.reject(error);
  }

  /** Gives up on runs with this outcome, such as when the study is interrupted. */
  release(entries: Iterable<Entry>, outcome: Outcome): void {
    for (const entry of entries) {
      if (entry.waiter) this.finish(entry, unstarted(outcome));
    }
  }

  /** Runs it once more, or gives the failure that it comes to when that has been done often enough. */
  again(entry: Entry, reason: string): Attempt | undefined {
    if (entry.isBegun) {
      if (!entry.cut?.isPreempted) entry.kills++;
      entry.goesAlone = true;
      entry.lost = [...(entry.lost ?? []), { reason, wallMs: entry.cut?.wallMs ?? 0, ...costOf(entry) }];
    } else entry.moves++;
    if (entry.kills >= MOST_KILLS)
      return givenUp(entry, `under way ${entry.kills} times when the cluster ended its task`);
    if (entry.moves >= MOST_MOVES)
      return givenUp(entry, `its task ended ${entry.moves} times before the run began: ${reason}`);
    entry.isBegun = false;
    entry.isSubmitted = false;
    delete entry.cut;
    if (entry.waiter) this.#waiting.add(entry);
    return undefined;
  }
}

function keyOf(runId: string, attempt: number): string {
  return `${runId}#${attempt}`;
}

function newEntry(assigned: Assigned): Entry {
  return { ...assigned, isBegun: false, goesAlone: assigned.kills > 0, isSubmitted: false };
}

function givenUp(entry: Entry, why: string): Attempt {
  return withLost(unstarted(failed("infrastructure", why)), entry.lost);
}

function costOf({ cut }: Entry): { costUsd?: number } {
  return cut?.costUsd === undefined ? {} : { costUsd: cut.costUsd };
}

/**
 * With the tries that the cluster ended. The folder of a run knows how long those took that were killed without a word,
 * which the cluster does not.
 */
export function withLost(attempt: Attempt, ended: readonly EarlierAttempt[] = []): Attempt {
  if (ended.length === 0) return attempt;
  const killed = [...(attempt.lost ?? [])];
  const lost = ended.map((one) =>
    one.wallMs === 0 && killed.length > 0 ? { ...killed.shift()!, reason: one.reason } : one,
  );
  return { ...attempt, lost: [...lost, ...killed] };
}
