import { closeSync, readSync } from "node:fs";
import { errorCode } from "../core/errors.ts";

/** Most that is taken at once, so that no program that prints can hold up the others; no pipe holds more. */
const TURN_BYTES = 1 << 20;
/** After so many looks in vain, the next one waits, and longer each time. */
const EAGER_LOOKS = 20;
const LONGEST_WAIT_MS = 16;

const chunk = Buffer.alloc(1 << 16);

/** Takes what comes out of a pipe, until it is told that no more will come. */
export class PipeReader {
  readonly #fd: number;
  readonly #take: (bytes: Buffer) => void;
  #stopNext = () => {};
  #vain = 0;

  /** `take` gets bytes that are its own only until it returns. */
  constructor(fd: number, take: (bytes: Buffer) => void) {
    this.#fd = fd;
    this.#take = take;
    this.#plan();
  }

  /** Takes what is left and closes the pipe, whoever still holds its other end. */
  finish(): void {
    this.#stopNext();
    try {
      this.#takeTurn();
    } finally {
      closeSync(this.#fd);
    }
  }

  #look(): void {
    this.#vain = this.#takeTurn() > 0 ? 0 : this.#vain + 1;
    this.#plan();
  }

  #takeTurn(): number {
    let taken = 0;
    for (let bytes = -1; bytes !== 0 && taken < TURN_BYTES; taken += bytes) bytes = this.#read();
    return taken;
  }

  #plan(): void {
    if (this.#vain < EAGER_LOOKS) {
      const next = setImmediate(() => this.#look());
      this.#stopNext = () => clearImmediate(next);
    } else {
      const next = setTimeout(() => this.#look(), Math.min(this.#vain - EAGER_LOOKS + 1, LONGEST_WAIT_MS));
      this.#stopNext = () => clearTimeout(next);
    }
  }

  /** How many bytes there were; 0 where there is nothing now. */
  #read(): number {
    let bytes = 0;
    try {
      bytes = readSync(this.#fd, chunk);
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") throw error;
    }
    if (bytes > 0) this.#take(chunk.subarray(0, bytes));
    return bytes;
  }
}
