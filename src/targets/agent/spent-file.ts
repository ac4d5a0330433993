import { SPENT_FILE } from "../../core/study-folder.ts";
import { replaceFile } from "../../host/files.ts";

/** Calls of real models take longer than this; those of a scripted one need not all be written down. */
const SOON_MS = 50;

/** What a run has cost so far, for whoever finds it killed: `spent.json` in its out folder. */
export class SpentFile {
  readonly #path: string;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #writtenUsd = 0;

  constructor(outDir: string) {
    this.#path = `${outDir}/${SPENT_FILE}`;
  }

  /** `atOnce`: each change counts, however soon it comes. */
  note(costUsd: number, { atOnce = false } = {}): void {
    const now = performance.now();
    if (costUsd === this.#writtenUsd || (!atOnce && now - this.#writtenAt < SOON_MS)) return;
    // Replaced whole: killed in between, the run has at least what was known before.
    replaceFile(this.#path, `{"costUsd":${costUsd}}\n`, { isDurable: false });
    this.#writtenAt = now;
    this.#writtenUsd = costUsd;
  }
}
