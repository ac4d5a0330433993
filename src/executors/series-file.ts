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
    if (this.#pending !== "") appendFileSync(this.#path, this.#pending);
    this.#pending = "";
    this.#flushed = performance.now();
  }
}
