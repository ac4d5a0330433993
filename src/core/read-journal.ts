import type { RunRecord } from "./run.ts";

/** What a journal holds, as far as it can be read. */
export interface JournalContents {
  /** Bytes up to the end of the last whole line; what follows was torn by a crash. */
  goodBytes: number;
  /** Lines that are no records: kept on disk, passed over. */
  brokenLines: number;
}

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
      if (!this.#read(line, this.#offset) && line.length > 0) this.brokenLines++;
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
    return { goodBytes, brokenLines: this.brokenLines, needsNewline };
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
    if (line.length === 0 || line[0] !== 123) return false;
    let record: RunRecord;
    try {
      record = JSON.parse(this.#decoder.decode(line)) as RunRecord;
    } catch {
      return false;
    }
    if (typeof record.id !== "string" || typeof record.outcome?.status !== "string") return false;
    this.#onRecord(record, offset, line.length);
    return true;
  }
}
