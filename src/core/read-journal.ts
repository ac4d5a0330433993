import { plural } from "./number-text.ts";
import { OWNERS, type RunRecord, STATUSES } from "./run.ts";
import { anything, listOf, number, objectWith, oneOf, optional, orNull, tableOf, text } from "./shape.ts";
import { STUDY_FILES } from "./study-folder.ts";

const OUTCOME = objectWith({
  status: oneOf(STATUSES),
  owner: optional(oneOf(OWNERS)),
  reason: optional(text),
  exitCode: optional(number),
});
const EARLIER = objectWith({ reason: text, wallMs: number, costUsd: optional(number) });

/** A line of the journal. Keys may be added to it, never taken away: what an older version wrote stays readable. */
export const RECORD_SHAPE = objectWith({
  id: text,
  params: tableOf(anything),
  variant: text,
  flags: listOf(text),
  seed: number,
  task: orNull(text),
  taskVersion: optional(text),
  repeat: number,
  program: text,
  attempt: number,
  outcome: OUTCOME,
  metrics: tableOf(orNull(number)),
  startedAtMs: number,
  wallMs: number,
  labels: optional(tableOf(text)),
  warnings: optional(listOf(text)),
  costUsd: optional(number),
  files: optional(listOf(text)),
  scored: optional(
    tableOf(objectWith({ version: text, metrics: listOf(text), labels: optional(listOf(text)) })),
  ),
  earlier: optional(listOf(EARLIER)),
});

/** The record that a line of a journal holds, or what is wrong with the line. */
export function parseRecord(line: string): RunRecord | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: "no JSON" };
  }
  const problem = RECORD_SHAPE(value);
  return problem === undefined ? (value as RunRecord) : { problem };
}

/** What a journal holds, as far as it can be read. */
export interface JournalContents {
  /** Bytes up to the end of the last whole line; what follows was torn by a crash. */
  goodBytes: number;
  /** Lines that are no records: kept on disk, passed over. */
  brokenLines: number;
  /** The first of them, counted from 1, and what is wrong with it. */
  firstBroken?: { line: number; problem: string } | undefined;
}

/** In words for people, with the study's folder as they know it; undefined where every line is a record. */
export function brokenLinesText(folder: string, { brokenLines, firstBroken }: Broken): string | undefined {
  if (!firstBroken) return undefined;
  const lines =
    brokenLines === 1 ? "a line that is not a record" : `${plural(brokenLines, "line")} that are no records`;
  return `${folder}/${STUDY_FILES.journal}: passed over ${lines}; line ${firstBroken.line}: ${firstBroken.problem}`;
}

type Broken = Pick<JournalContents, "brokenLines" | "firstBroken">;

export type OnRecord = (record: RunRecord, offset: number, length: number) => void;

/**
 * Reads journal bytes that arrive in chunks. A last line without its newline counts when it is whole JSON:
 * only the newline was torn.
 */
export class JournalReader {
  readonly #onRecord: OnRecord;
  readonly #decoder = new TextDecoder();
  #carry: Uint8Array[] = [];
  #carried = 0;
  #offset = 0;
  #line = 0;
  #problem = "";
  #firstBroken: JournalContents["firstBroken"];
  brokenLines = 0;

  constructor(onRecord: OnRecord) {
    this.#onRecord = onRecord;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(10, start);
      if (end < 0) break;
      const line = this.#joined(chunk.subarray(start, end));
      this.#line++;
      if (line.length > 0 && !this.#read(line, this.#offset)) {
        this.brokenLines++;
        this.#firstBroken ??= { line: this.#line, problem: this.#problem };
      }
      this.#offset += line.length + 1;
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#carry.push(chunk.slice(start));
      this.#carried += chunk.length - start;
    }
  }

  /** Ends the reading. `isWhole` tells whether an unfinished last line was a whole record all the same. */
  end(): JournalContents & { needsNewline: boolean } {
    const line = this.#joined(new Uint8Array());
    const needsNewline = line.length > 0 && this.#read(line, this.#offset);
    const goodBytes = this.#offset + (needsNewline ? line.length : 0);
    const broken: Broken = { brokenLines: this.brokenLines };
    if (this.#firstBroken) broken.firstBroken = this.#firstBroken;
    return { goodBytes, ...broken, needsNewline };
  }

  #joined(rest: Uint8Array): Uint8Array {
    if (this.#carry.length === 0) return rest;
    const line = new Uint8Array(this.#carried + rest.length);
    let at = 0;
    for (const part of this.#carry) {
      line.set(part, at);
      at += part.length;
    }
    line.set(rest, at);
    this.#carry = [];
    this.#carried = 0;
    return line;
  }

  #read(line: Uint8Array, offset: number): boolean {
    const record = parseRecord(this.#decoder.decode(line));
    if ("problem" in record) {
      this.#problem = record.problem;
      return false;
    }
    this.#onRecord(record, offset, line.length);
    return true;
  }
}
