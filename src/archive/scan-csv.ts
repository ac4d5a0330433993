import { closeSync, readSync } from "node:fs";
import { MachineError, UserError } from "../core/errors.ts";
import { openFile } from "../host/files.ts";

const CHUNK_BYTES = 1 << 20;
const [NEWLINE, RETURN, QUOTE] = [10, 13, 34];
const DELIMITERS = [44, 9, 59];

/** The cells of one row. It is one object for all rows: read what you need before you return. */
export interface CsvRow {
  /** Counts from 1, the header not included. */
  readonly number: number;
  text(column: number): string;
}

/** Reads a CSV file (comma, tab or semicolon) row by row, in constant memory; cells that nobody reads cost little. */
export function scanCsv(path: string, begin: (columns: string[]) => (row: CsvRow) => void): number {
  const file = openTable(path);
  const rows = new RowScanner(path);
  let onRow: ((row: CsvRow) => void) | undefined;
  const take = () => {
    if (onRow) onRow(rows);
    else onRow = begin(rows.header());
  };
  try {
    for (;;) {
      const space = rows.space(CHUNK_BYTES);
      const bytes = readSync(file, space.buffer, space.offset, CHUNK_BYTES, null);
      rows.grow(bytes);
      while (rows.next(bytes === 0)) take();
      if (bytes === 0) break;
    }
  } finally {
    closeSync(file);
  }
  if (!onRow) throw new UserError(`${path} is empty`, { expected: "a header and rows" });
  return rows.number;
}

function openTable(path: string): number {
  try {
    return openFile(path);
  } catch (error) {
    const why = error instanceof MachineError ? ": it is not an ordinary file" : "";
    throw new UserError(`${path} can't be read${why}`, { remedy: "Check the path." });
  }
}

/** Finds rows and cells in bytes that arrive in chunks. */
class RowScanner implements CsvRow {
  number = -1;
  readonly #path: string;
  #buffer = Buffer.allocUnsafeSlow(4 * CHUNK_BYTES);
  #at = 0;
  #end = 0;
  #delimiter = 0;
  #cells = 0;
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);

  constructor(path: string) {
    this.#path = path;
  }

  /** Room for so many bytes; what is not consumed yet moves to the front. */
  space(bytes: number): { buffer: Buffer; offset: number } {
    const rest = this.#end - this.#at;
    if (this.#end + bytes > this.#buffer.length) {
      const target =
        rest + bytes > this.#buffer.length ? Buffer.allocUnsafeSlow(2 * (rest + bytes)) : this.#buffer;
      this.#buffer.copy(target, 0, this.#at, this.#end);
      this.#buffer = target;
      this.#at = 0;
      this.#end = rest;
    }
    return { buffer: this.#buffer, offset: this.#end };
  }

  grow(bytes: number): void {
    this.#end += bytes;
  }

  /** Goes to the next whole row; blank lines are passed over. */
  next(isLast: boolean): boolean {
    while (this.#at < this.#end) {
      const after = this.#find(isLast);
      if (after < 0) return false;
      const isBlank = this.#cells === 1 && this.#starts[0] === this.#ends[0];
      this.#at = after;
      if (isBlank) continue;
      this.number++;
      return true;
    }
    return false;
  }

  header(): string[] {
    const names = Array.from({ length: this.#cells }, (_, i) => this.text(i).trim());
    names[0] = names[0]!.replace(/^\uFEFF/, "");
    return names;
  }

  text(column: number): string {
    if (column >= this.#cells) return "";
    const [start, end] = [this.#starts[column]!, this.#ends[column]!];
    if (this.#buffer[start] === QUOTE && end - start >= 2)
      return this.#buffer.toString("utf8", start + 1, end - 1).replaceAll('""', '"');
    return end - start > 24 ? this.#buffer.toString("utf8", start, end) : shortText(this.#buffer, start, end);
  }

  /** Marks the cells of the row at the cursor; gives where the next one begins, or -1 where it is not whole yet. */
  #find(isLast: boolean): number {
    const buffer = this.#buffer;
    const end = this.#end;
    if (this.#delimiter === 0) this.#delimiter = guessDelimiter(buffer, this.#at, end);
    const delimiter = this.#delimiter;
    let cells = 0;
    let start = this.#at;
    let i = start;
    for (;;) {
      if (buffer[i] === QUOTE && i === start) {
        i = closingQuote(buffer, i + 1, end);
        if (i < 0) {
          if (isLast) throw new UserError(`${this.#path}: a quote in row ${this.number + 1} is not closed`);
          return -1;
        }
      }
      while (i < end && buffer[i] !== delimiter && buffer[i] !== NEWLINE) i++;
      if (i >= end && !isLast) return -1;
      if (cells === this.#starts.length) this.#widen();
      this.#starts[cells] = start;
      this.#ends[cells++] = i;
      const isRowEnd = i >= end || buffer[i] === NEWLINE;
      i++;
      if (!isRowEnd) {
        start = i;
        continue;
      }
      const last = cells - 1;
      if (this.#ends[last]! > this.#starts[last]! && buffer[this.#ends[last]! - 1] === RETURN)
        this.#ends[last]!--;
      this.#cells = cells;
      return Math.min(i, end);
    }
  }

  #widen(): void {
    const widen = (old: Int32Array<ArrayBuffer>) => {
      const wide = new Int32Array(2 * old.length);
      wide.set(old);
      return wide;
    };
    this.#starts = widen(this.#starts);
    this.#ends = widen(this.#ends);
  }
}

/** Just past the quote that ends a cell; two in a row stand for one. */
function closingQuote(buffer: Buffer, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    if (buffer[i] !== QUOTE) continue;
    if (i + 1 >= end) return i + 1;
    if (buffer[i + 1] !== QUOTE) return i + 1;
    i++;
  }
  return -1;
}

/** Small ASCII cells, such as numbers, are built faster than decoded. */
function shortText(buffer: Buffer, start: number, end: number): string {
  for (let i = start; i < end; i++) if (buffer[i]! > 127) return buffer.toString("utf8", start, end);
  return buffer.toString("latin1", start, end);
}

function guessDelimiter(buffer: Buffer, start: number, end: number): number {
  const newline = buffer.indexOf(NEWLINE, start);
  const header = buffer.subarray(start, newline < 0 || newline > end ? end : newline);
  const counts = DELIMITERS.map((code) => header.reduce((count, byte) => count + Number(byte === code), 0));
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
