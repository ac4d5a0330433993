import { closeSync, openSync, writeSync } from "node:fs";
import { ByteTail } from "./byte-tail.ts";

/** Most that is kept in memory of a stream's end. */
const MOST_TAIL_BYTES = 1 << 20;

/**
 * A file that takes a stream of any length and stays small: its beginning is written as it comes, its end when it is
 * closed, and what lies between is counted and thrown away.
 */
export class CappedFile {
  readonly #file: number;
  readonly #tail: ByteTail;
  #headRoom: number;
  #isClosed = false;

  constructor(path: string, mostBytes: number) {
    this.#file = openSync(path, "w");
    this.#tail = new ByteTail(Math.min(MOST_TAIL_BYTES, Math.floor(mostBytes / 2)));
    this.#headRoom = mostBytes - this.#tail.most;
  }

  get omittedBytes(): number {
    return this.#tail.lostBytes;
  }

  /** The bytes may be used again afterwards. */
  push(chunk: Buffer): void {
    const head = chunk.subarray(0, this.#headRoom);
    if (head.length > 0) writeFully(this.#file, head);
    this.#headRoom -= head.length;
    this.#tail.push(chunk.subarray(head.length));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.omittedBytes > 0)
        writeFully(this.#file, Buffer.from(`\n(${this.omittedBytes} bytes omitted)\n`));
      for (const part of this.#tail.parts()) writeFully(this.#file, part);
    } finally {
      closeSync(this.#file);
    }
  }
}

function writeFully(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
