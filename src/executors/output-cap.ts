import { lstatSync } from "node:fs";
import { cut } from "./seal.ts";

const LOOK_MS = 100;
/** Room above the cap before a file is cut while it is being written. */
const SLACK_BYTES = 1 << 20;

/**
 * Keeps captured files small while programs write them. The files are opened for appending, so a program goes
 * on at the new end after each cut; the bytes never pass through this process.
 */
export class OutputCap {
  readonly #capBytes: number;
  readonly #watched = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  watch(files: { stdout: string; stderr: string }): void {
    this.#watched.add(files.stdout).add(files.stderr);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  unwatch(files: { stdout: string; stderr: string }): void {
    this.#watched.delete(files.stdout);
    this.#watched.delete(files.stderr);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const path of this.#watched) {
      try {
        const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
        // One byte more than the cap stays, so that sealing sees that something was cut.
        if (size > this.#capBytes + SLACK_BYTES) cut(path, this.#capBytes + 1);
      } catch {
        // Whoever reads the file when the run has ended says what is wrong with it.
      }
    }
  }
}
