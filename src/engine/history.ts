import { closeSync, existsSync, readSync } from "node:fs";
import { HashTable } from "../core/hash-table.ts";
import { addUsd } from "../core/money.ts";
import type { Params } from "../core/params.ts";
import { sameValue } from "../core/params.ts";
import { PREEMPTED } from "../core/preemption.ts";
import { type JournalContents, JournalReader } from "../core/read-journal.ts";
import { hashOf, type Run, type RunRecord, STATUSES } from "../core/run.ts";
import { openFile } from "../host/files.ts";
import { slotHash } from "../plan/identify.ts";
import { explainProgram, PROGRAM_CHANGED } from "../plan/program.ts";

const CHUNK_BYTES = 1 << 20;

/** Why a run runs, in words for people. */
export type Reason = string;

/** What the journal of a study says of runs that ended before, small enough for millions of them. */
export class History {
  readonly #path: string;
  readonly #axisNames: readonly string[];
  /** Byte offset of the newest record, by the run's hash and by its place in the matrix. */
  readonly #byRun = new HashTable();
  readonly #bySlot = new HashTable();
  readonly #statuses = new HashTable();
  #file: number | undefined;
  goodBytes = 0;
  needsNewline = false;
  brokenLines = 0;
  firstBroken: JournalContents["firstBroken"];
  costUsd = 0;

  constructor(path: string, axisNames: readonly string[]) {
    this.#path = path;
    this.#axisNames = axisNames;
    if (existsSync(path)) this.#load();
  }

  /** Runs with a record. */
  get size(): number {
    return this.#byRun.size;
  }

  /** Whether the newest record of a run says that it ended well. */
  isFinished(run: Run): boolean {
    const status = this.#statuses.get(keyOf(hashOf(run.id)));
    return status !== undefined && status < FIRST_UNFINISHED;
  }

  recordOf(run: Run): RunRecord | undefined {
    const offset = this.#byRun.get(keyOf(hashOf(run.id)));
    return offset === undefined ? undefined : this.#readAt(offset);
  }

  /** Why a run without a good record must run. */
  reasonFor(run: Run, program: string, changedSince: (program: string) => string[] = () => []): Reason {
    const own = this.recordOf(run);
    if (own?.outcome.reason === PREEMPTED) return "preempted before";
    if (own) return own.outcome.status === "cancelled" ? "cancelled before" : "failed before";
    if (this.size === 0) return "new";
    const offset = this.#bySlot.get(keyOf(slotHash(run, this.#axisNames)));
    const before = offset === undefined ? undefined : this.#readAt(offset);
    if (!before) return "new";
    const changes = changedParams(before.params, run.params);
    if (changes !== "") return `params changed: ${changes}`;
    if (before.program !== program) {
      const reason = explainProgram(before.program, program);
      const files = reason === PROGRAM_CHANGED ? changedSince(before.program) : [];
      return files.length === 0 ? reason : `${reason}: ${files.join(", ")}`;
    }
    return changedContent(before.taskVersion, run.taskVersion);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #load(): void {
    const reader = new JournalReader((record, offset) => {
      const hash = keyOf(hashOf(record.id));
      // Of another tool: no plan has such a run.
      if (Number.isNaN(hash)) return;
      this.#byRun.set(hash, offset);
      this.#bySlot.set(keyOf(slotHash(record, this.#axisNames)), offset);
      this.#statuses.set(hash, STATUSES.indexOf(record.outcome.status));
      for (const { costUsd } of [record, ...(record.earlier ?? [])])
        this.costUsd = addUsd(this.costUsd, costUsd ?? 0);
    });
    const file = openFile(this.#path);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk)) {
      reader.push(chunk.subarray(0, bytes));
    }
    closeSync(file);
    Object.assign(this, reader.end());
  }

  #readAt(offset: number): RunRecord {
    this.#file ??= openFile(this.#path);
    for (let size = 1 << 12; ; size *= 4) {
      const bytes = Buffer.allocUnsafe(size);
      const read = readSync(this.#file, bytes, 0, size, offset);
      const end = bytes.subarray(0, read).indexOf(10);
      if (end < 0 && read === size) continue;
      return JSON.parse(bytes.toString("utf8", 0, end < 0 ? read : end)) as RunRecord;
    }
  }
}

function changedContent(before = "", now = ""): Reason {
  if (before === now) return "new";
  return before.split("+")[0] === now.split("+")[0] ? "files of its parameters changed" : "task changed";
}

/** Those that are results come first. */
const FIRST_UNFINISHED = STATUSES.indexOf("failed");

/** The hash of a run as a number: 48 bits, which a double holds exactly. */
function keyOf(hash: string): number {
  return Number.parseInt(hash, 16);
}

function changedParams(before: Params, now: Params): string {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changes: string[] = [];
  for (const name of names) {
    if (!sameValue(before[name], now[name]))
      changes.push(`${name} ${show(before[name])} -> ${show(now[name])}`);
  }
  return changes.join(", ");
}

function show(value: unknown): string {
  return value === undefined ? "(absent)" : JSON.stringify(value);
}
