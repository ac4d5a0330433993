import { closeSync, readSync } from "node:fs";
import { HashTable } from "../core/hash-table.ts";
import { openFile } from "../host/files.ts";

const CHUNK_BYTES = 1 << 22;
const NEWLINE = 10;
const QUOTE = 34;
const BRACE_CLOSE = 125;
const ID_START = Buffer.from('{"id":"');

export type OnLine = (bytes: Buffer, start: number, end: number) => boolean;

/** The newest line of each run of a journal; runs that were done again have older ones, which are passed over. */
export class NewestLines {
  readonly #path: string;
  readonly #newest = new HashTable();

  /** `isSound` looks closer at each line, where a quick look has been found not to be enough. */
  constructor(path: string, isSound: OnLine = () => true) {
    this.#path = path;
    forEachLine(path, (bytes, start, end, offset) => {
      const hash = hashAt(bytes, start, end);
      if (hash >= 0 && isSound(bytes, start, end)) this.#newest.set(hash, offset);
      return true;
    });
  }

  /** Hands lines over in file order, each as a stretch of a larger buffer, until `onLine` returns false. */
  walk(onLine: OnLine): void {
    forEachLine(this.#path, (bytes, start, end, offset) => {
      const hash = hashAt(bytes, start, end);
      return hash < 0 || this.#newest.get(hash) !== offset || onLine(bytes, start, end);
    });
  }
}

/**
 * All lines of a journal in which every run stands once, as in most: then no line needs to be looked up first.
 * `hasRepeats` tells, after a walk, that it was not so.
 */
export class OnlyLines {
  readonly #path: string;
  hasRepeats = false;

  constructor(path: string) {
    this.#path = path;
  }

  walk(onLine: OnLine): void {
    const seen = new HashTable();
    forEachLine(this.#path, (bytes, start, end) => {
      const hash = hashAt(bytes, start, end);
      if (hash < 0) return true;
      this.hasRepeats ||= seen.get(hash) !== undefined;
      seen.set(hash, 1);
      return !this.hasRepeats && onLine(bytes, start, end);
    });
  }
}

/** The 48 bits at the end of the id that a record begins with; -1 for a line that is not a record. */
function hashAt(bytes: Buffer, start: number, end: number): number {
  for (let i = 0; i < ID_START.length; i++) if (bytes[start + i] !== ID_START[i]) return -1;
  const close = bytes.indexOf(QUOTE, start + ID_START.length);
  if (bytes[end - 1] !== BRACE_CLOSE || close < 0 || close > end) return -1;
  let hash = 0;
  for (let i = close - 12; i < close; i++) {
    const byte = bytes[i]!;
    hash = hash * 16 + (byte < 58 ? byte - 48 : byte - 87);
  }
  return hash;
}

function forEachLine(
  path: string,
  onLine: (bytes: Buffer, start: number, end: number, offset: number) => boolean,
): void {
  const file = openFile(path);
  let buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  /** Bytes of an unfinished line at the start of the buffer, and where in the file they stand. */
  let carried = 0;
  let offset = 0;
  try {
    for (;;) {
      const read = readSync(file, buffer, carried, buffer.length - carried, null);
      if (read === 0) {
        // Whole but for its newline: counts, as it does for everybody who reads journals.
        if (carried > 0) onLine(buffer, 0, carried, offset);
        return;
      }
      const filled = carried + read;
      let start = 0;
      for (
        let end = buffer.indexOf(NEWLINE);
        end >= 0 && end < filled;
        end = buffer.indexOf(NEWLINE, start)
      ) {
        if (!onLine(buffer, start, end, offset + start)) return;
        start = end + 1;
      }
      carried = filled - start;
      offset += start;
      if (carried === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      else buffer.copy(buffer, 0, start, filled);
    }
  } finally {
    closeSync(file);
  }
}
