import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { parseLines } from "./batch-files.ts";

/** Reads a file that others append to, each whole line once; the torn end of it waits for its rest. */
export class LineFollower<T> {
  readonly #path: string;
  #at = 0;
  #torn = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** What was added since; nothing while the file is missing. */
  next(): T[] {
    let file: number;
    try {
      // Opened anew each time: only then does a network file system ask the server for the size.
      file = openSync(this.#path, "r");
    } catch {
      return [];
    }
    try {
      const length = fstatSync(file).size - this.#at;
      if (length <= 0) return [];
      const added = Buffer.alloc(length);
      const count = readSync(file, added, 0, length, this.#at);
      this.#at += count;
      const bytes = Buffer.concat([this.#torn, added.subarray(0, count)]);
      const end = bytes.lastIndexOf(10) + 1;
      this.#torn = bytes.subarray(end);
      return parseLines<T>(bytes.toString("utf8", 0, end));
    } finally {
      closeSync(file);
    }
  }
}
