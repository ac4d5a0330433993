import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { CountLimits } from "./counted-gate.ts";

/**
 * What a study's calls have used so far, in a file that is only appended to: what a killed launch made counts in the next,
 * and what other workers of the study write is seen.
 */
export class CallTally {
  readonly #path: string;
  #offset = 0;
  #rest = "";
  readonly #used: CountLimits = { calls: 0, tokens: 0 };

  constructor(path: string) {
    this.#path = path;
  }

  note(used: Partial<CountLimits>): void {
    appendFileSync(this.#path, `${JSON.stringify(used)}\n`);
  }

  read(): CountLimits {
    if (!existsSync(this.#path)) return this.#used;
    const size = statSync(this.#path).size;
    if (size === this.#offset) return this.#used;
    const bytes = Buffer.alloc(size - this.#offset);
    const file = openSync(this.#path, "r");
    try {
      this.#offset += readSync(file, bytes, 0, bytes.length, this.#offset);
    } finally {
      closeSync(file);
    }
    const lines = (this.#rest + bytes.toString("utf8")).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const [, name, count] = /^\{"(calls|tokens)":(\d+)\}$/.exec(line) ?? [];
      if (name !== undefined) this.#used[name as keyof CountLimits] += Number(count);
    }
    return this.#used;
  }
}
