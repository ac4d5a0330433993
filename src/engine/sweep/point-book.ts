import { closeSync, openSync, readSync } from "node:fs";
import type { Params } from "../../core/params.ts";
import { JournalReader } from "../../core/read-journal.ts";
import { hashOf, isFailure, type Run, type RunRecord } from "../../core/run.ts";
import type { ProposedPoint } from "./ledger.ts";

/** A point with what its runs have come to. */
export interface PointState {
  number: number;
  params: Params;
  /** Runs that it has: one a cell, seed and repeat. */
  expected: number;
  /** What its runs came to, by their hash; those that were cancelled have not ended. */
  results: Map<string, RunResult>;
  /** Why its other runs are not done. */
  cut?: string;
}

/** What a searcher can learn from a record. */
export type RunResult = Pick<
  RunRecord,
  "id" | "params" | "variant" | "seed" | "task" | "repeat" | "outcome" | "metrics" | "attempt"
>;

const CHUNK_BYTES = 1 << 18;

/**
 * What one worker knows of a sweep: its points, and what the journal says of their runs. It reads on where it
 * stopped, so that looking again costs only what is new.
 */
export class PointBook {
  readonly #path: string;
  readonly #runsOf: (params: Params) => Iterable<Run>;
  readonly #pointOf = new Map<string, number>();
  readonly #reader: JournalReader;
  readonly points: PointState[] = [];
  /** Points all of whose runs have ended, in the order in which they did. */
  readonly finished: PointState[] = [];
  readonly ended = { ok: 0, failed: 0 };
  costUsd = 0;
  #offset = 0;
  /** Records of points that this worker has not heard of yet, or that the study no longer has. */
  #strays: RunRecord[] = [];

  constructor(journalPath: string, runsOf: (params: Params) => Iterable<Run>) {
    this.#path = journalPath;
    this.#runsOf = runsOf;
    this.#reader = new JournalReader((record) => this.#note(record));
  }

  /** Bytes of the journal that have been read. */
  get journalBytes(): number {
    return this.#offset;
  }

  /** Learns of points that were proposed meanwhile, also by others. */
  addPoints(points: readonly ProposedPoint[]): void {
    for (const { number, params } of points) {
      const state: PointState = { number, params, expected: 0, results: new Map() };
      for (const run of this.#runsOf(params)) {
        state.expected++;
        this.#pointOf.set(hashOf(run.id), number);
      }
      this.points[number] = state;
    }
    if (points.length === 0) return;
    const strays = this.#strays;
    this.#strays = [];
    for (const record of strays) this.#place(record);
  }

  /** Reads what was appended to the journal since the last time, up to so many bytes of it. */
  readOn(until = Number.POSITIVE_INFINITY): void {
    let file: number;
    try {
      file = openSync(this.#path, "r");
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
    const point = this.points[number]!;
    if (point.cut !== undefined) return;
    point.cut = why;
    if (point.results.size < point.expected) this.finished.push(point);
  }

  resultOf(run: Run): RunResult | undefined {
    const number = this.#pointOf.get(hashOf(run.id));
    return number === undefined ? undefined : this.points[number]!.results.get(hashOf(run.id));
  }

  #note(record: RunRecord): void {
    this.costUsd += record.costUsd ?? 0;
    for (const { costUsd } of record.earlier ?? []) this.costUsd += costUsd ?? 0;
    this.#place(record);
  }

  #place(record: RunRecord): void {
    const hash = hashOf(record.id);
    const number = this.#pointOf.get(hash);
    if (number === undefined) {
      this.#strays.push(record);
      return;
    }
    const { id, params, variant, seed, task, repeat, outcome, metrics, attempt } = record;
    if (outcome.status === "cancelled") return;
    const point = this.points[number]!;
    const before = point.results.get(hash);
    point.results.set(hash, { id, params, variant, seed, task, repeat, outcome, metrics, attempt });
    if (before) this.ended[isFailure(before.outcome) ? "failed" : "ok"]--;
    this.ended[isFailure(outcome) ? "failed" : "ok"]++;
    if (!before && point.cut === undefined && point.results.size === point.expected)
      this.finished.push(point);
  }
}
