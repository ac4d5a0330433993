import { closeSync, openSync, writeSync } from "node:fs";

/** Most that is kept in memory of a stream's end. */
const MOST_TAIL_BYTES = 1 << 20;

/**
 * A file that takes a stream of any length and stays small: its beginning is written as it comes, its end when it is
 * closed, and what lies between is counted and thrown away.
 */
export class CappedFile {
  readonly #file: number;
  readonly #tailRoom: number;
  #headRoom: number;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #isClosed = false;
  omittedBytes = 0;

  constructor(path: string, mostBytes: number) {
    this.#file = openSync(path, "w");
    this.#tailRoom = Math.min(MOST_TAIL_BYTES, Math.floor(mostBytes / 2));
    this.#headRoom = mostBytes - this.#tailRoom;
  }

  /** The bytes may be used again afterwards. */
  push(chunk: Buffer): void {
    const head = chunk.subarray(0, this.#headRoom);
    if (head.length > 0) writeFully(this.#file, head);
    this.#headRoom -= head.length;
    const rest = chunk.subarray(head.length);
    if (rest.length === 0) return;
    this.#tail.push(Buffer.from(rest));
    this.#tailBytes += rest.length;
    if (this.#tailBytes > 2 * this.#tailRoom + 65_536) this.#trim();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#trim();
      if (this.omittedBytes > 0)
        writeFully(this.#file, Buffer.from(`\n(${this.omittedBytes} bytes omitted)\n`));
      for (const part of this.#tail) writeFully(this.#file, part);
    } finally {
      closeSync(this.#file);
    }
  }

  #trim(): void {
    const all = Buffer.concat(this.#tail);
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#tailRoom)));
    this.omittedBytes += all.length - kept.length;
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}

function writeFully(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
