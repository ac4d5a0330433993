import { closeSync, readSync } from "node:fs";
import type { Params } from "../../core/params.ts";
import { JournalReader } from "../../core/read-journal.ts";
import { hashOf, isFailure, type Run, type RunRecord } from "../../core/run.ts";
import { openFile } from "../../host/files.ts";
import type { ProposedPoint } from "./ledger.ts";

/** A point with what its runs have come to. */
export interface PointState {
  number: number;
  params: Params;
  /** Runs that it has: one a cell, seed and repeat. */
  expected: number;
  /** What its runs came to, by their hash; those that were cancelled have not ended. */
  results: Map<string, RunResult>;
  /** How often a result came in; a run that failed may be done again. */
  changes: number;
  /** Why its other runs are not done. */
  cut?: string;
}

/** What a searcher can learn from a record. */
export type RunResult = Pick<
  RunRecord,
  "id" | "params" | "variant" | "seed" | "task" | "repeat" | "outcome" | "metrics" | "attempt"
>;

/** How points become runs, by the study as it is now. */
export interface PointRules {
  runsOf(params: Params): Iterable<Run>;
  /** The point in terms of the space as it is now; undefined where that no longer has it. */
  pointIn?(params: Params): Params | undefined;
}

const CHUNK_BYTES = 1 << 18;

/**
 * What one worker knows of a search: its points, and what the journal says of their runs. It reads on where it
 * stopped, so that looking again costs only what is new. A result belongs to every point that has the run, whichever
 * of them the worker heard of first.
 */
export class PointBook {
  readonly #path: string;
  readonly #rules: PointRules;
  /** Of every run in the journal, also of those that no point has (any more). */
  #results = new Map<string, RunResult>();
  #cancelled = new Map<string, number>();
  #pointsOf = new Map<string, PointState[]>();
  #byNumber = new Map<number, PointState>();
  #reader = this.#newReader();
  #offset = 0;
  /** How many points the ledger has told of, those outside the space included: the next one's number. */
  known = 0;
  /** Points of the space, in the order in which they were proposed. */
  points: PointState[] = [];
  /** Points all of whose runs have ended, in the order in which they did. */
  finished: PointState[] = [];
  /** Finished points, again each time a result of theirs came in: whoever reads it can go on where he stopped. */
  news: PointState[] = [];
  ended = { ok: 0, failed: 0 };
  /** Of these, what came in since this launch began. */
  sinceLaunch = { failed: 0, news: 0 };
  costUsd = 0;

  constructor(journalPath: string, rules: PointRules) {
    this.#path = journalPath;
    this.#rules = rules;
  }

  /** Bytes of the journal that have been read. */
  get journalBytes(): number {
    return this.#offset;
  }

  /** What has been read so far is of earlier launches. */
  startLaunch(): void {
    this.sinceLaunch = { failed: 0, news: 0 };
  }

  /** Forgets everything, since the space has changed: which points there are, and which runs they have. */
  startOver(): void {
    for (const map of [this.#results, this.#cancelled, this.#pointsOf, this.#byNumber]) map.clear();
    this.#reader = this.#newReader();
    this.#offset = 0;
    this.known = 0;
    this.points = [];
    this.finished = [];
    this.news = [];
    this.ended = { ok: 0, failed: 0 };
    this.costUsd = 0;
  }

  /** Learns of points that were proposed meanwhile, also by others. */
  addPoints(points: readonly ProposedPoint[]): void {
    for (const { number, params: proposed } of points) {
      this.known = number + 1;
      const params = this.#rules.pointIn ? this.#rules.pointIn(proposed) : proposed;
      if (params === undefined) continue;
      const point: PointState = { number, params, expected: 0, results: new Map(), changes: 0 };
      this.points.push(point);
      this.#byNumber.set(number, point);
      const results: [string, RunResult][] = [];
      for (const run of this.#rules.runsOf(params)) {
        const hash = hashOf(run.id);
        point.expected++;
        const result = this.#results.get(hash);
        if (result) results.push([hash, result]);
        const others = this.#pointsOf.get(hash);
        if (others) others.push(point);
        else {
          this.#pointsOf.set(hash, [point]);
          if (result) this.#count(result, 1);
        }
      }
      for (const [hash, result] of results) this.#give(point, hash, result);
    }
  }

  /** Reads what was appended to the journal since the last time, up to so many bytes of it. */
  readOn(until = Number.POSITIVE_INFINITY): void {
    let file: number;
    try {
      file = openFile(this.#path);
    } catch {
      return; // Nothing has ended yet.
    }
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const most = Math.min(CHUNK_BYTES, until - this.#offset);
      const bytes = most > 0 ? readSync(file, chunk, 0, most, this.#offset) : 0;
      if (bytes === 0) break;
      // A line that a dying worker left half written is cut off by the next one that writes.
      const whole = chunk.subarray(0, bytes).lastIndexOf(10) + 1;
      if (whole === 0 && bytes < CHUNK_BYTES) break;
      const used = whole === 0 ? bytes : whole;
      this.#reader.push(chunk.subarray(0, used));
      this.#offset += used;
    }
    closeSync(file);
  }

  /** A point whose other runs are not done has ended with those that it has. */
  cut(number: number, why: string): void {
    const point = this.#byNumber.get(number);
    if (!point || point.cut !== undefined) return;
    point.cut = why;
    if (point.results.size === point.expected) return;
    this.finished.push(point);
    this.#announce(point);
  }

  resultOf(run: Run): RunResult | undefined {
    return this.#results.get(hashOf(run.id));
  }

  /** Attempts of a run that was cancelled and has not been done since. */
  cancelledAttempts(run: Run): number | undefined {
    return this.#cancelled.get(hashOf(run.id));
  }

  /** Takes a record in, as if it had just been read from the journal. */
  place(record: RunRecord): void {
    this.costUsd += record.costUsd ?? 0;
    for (const { costUsd } of record.earlier ?? []) this.costUsd += costUsd ?? 0;
    const hash = hashOf(record.id);
    const { id, params, variant, seed, task, repeat, outcome, metrics, attempt } = record;
    if (outcome.status === "cancelled") {
      this.#cancelled.set(hash, attempt);
      return;
    }
    this.#cancelled.delete(hash);
    const before = this.#results.get(hash);
    const result = { id, params, variant, seed, task, repeat, outcome, metrics, attempt };
    this.#results.set(hash, result);
    const points = this.#pointsOf.get(hash);
    if (!points) return;
    if (before) this.#count(before, -1);
    this.#count(result, 1);
    if (isFailure(outcome)) this.sinceLaunch.failed++;
    for (const point of points) this.#give(point, hash, result);
  }

  #give(point: PointState, hash: string, result: RunResult): void {
    const isNew = !point.results.has(hash);
    point.results.set(hash, result);
    point.changes++;
    const isWhole = point.results.size === point.expected;
    if (isNew && isWhole && point.cut === undefined) this.finished.push(point);
    if (isWhole || point.cut !== undefined) this.#announce(point);
  }

  #announce(point: PointState): void {
    this.news.push(point);
    this.sinceLaunch.news++;
  }

  #count({ outcome }: RunResult, by: 1 | -1): void {
    this.ended[isFailure(outcome) ? "failed" : "ok"] += by;
  }

  #newReader(): JournalReader {
    return new JournalReader((record) => this.place(record));
  }
}
