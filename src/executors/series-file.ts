import { appendFileSync } from "node:fs";

const FLUSH_CHARACTERS = 1 << 16;
const FLUSH_MS = 200;

/** Appends the steps of a run as JSON lines, in large writes, yet soon: pages and stopping rules read along. */
export class SeriesFile {
  readonly #path: string;
  #pending = "";
  #flushed = performance.now();

  constructor(path: string) {
    this.#path = path;
  }

  append(values: Record<string, number>): void {
    this.#pending += `${JSON.stringify(values)}\n`;
    if (this.#pending.length >= FLUSH_CHARACTERS || performance.now() - this.#flushed > FLUSH_MS)
      this.close();
  }

  close(): void {
    const text = this.#pending;
    // First forgotten, then written: what the disk refuses once is not tried again while the refusal is being told.
    this.#pending = "";
    this.#flushed = performance.now();
    if (text !== "") appendFileSync(this.#path, text);
  }
}
