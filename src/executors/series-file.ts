import { appendFileSync } from "node:fs";

const FLUSH_CHARACTERS = 1 << 16;

/** Appends the steps of a run as JSON lines, in large writes. */
export class SeriesFile {
  readonly #path: string;
  #pending = "";

  constructor(path: string) {
    this.#path = path;
  }

  append(values: Record<string, number>): void {
    this.#pending += `${JSON.stringify(values)}\n`;
    if (this.#pending.length >= FLUSH_CHARACTERS) this.close();
  }

  close(): void {
    if (this.#pending !== "") appendFileSync(this.#path, this.#pending);
    this.#pending = "";
  }
}
