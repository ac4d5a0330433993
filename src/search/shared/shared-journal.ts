import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { errorText, explainFileError, MachineError } from "../../core/errors.ts";
import type { Redactor } from "../../core/redact.ts";
import type { RunRecord } from "../../core/run.ts";
import type { Ledger } from "./ledger.ts";

const SYNC_MS = 500;

interface JournalSetting {
  redactor: Redactor;
  /** Whether this worker is being interrupted: what it cancels then is for another one, or the next launch. */
  isEnding(): boolean;
}

/**
 * The journal of a search, written by several workers: each append happens alone, in the ledger's transaction, and
 * first cuts off the half line that a killed worker may have left.
 */
export class SharedJournal {
  readonly #file: number;
  readonly #ledger: Ledger;
  readonly #redactor: Redactor;
  readonly #isEnding: () => boolean;
  readonly #timer: NodeJS.Timeout;
  #isDirty = false;
  /** What the runs that it recorded have cost. */
  costUsd = 0;
  failure: MachineError | undefined;

  constructor(path: string, ledger: Ledger, { redactor, isEnding }: JournalSetting) {
    this.#file = openSync(path, "a+");
    this.#ledger = ledger;
    this.#redactor = redactor;
    this.#isEnding = isEnding;
    this.#timer = setInterval(() => this.#sync(), SYNC_MS);
    this.#timer.unref();
  }

  append(records: RunRecord[]): void {
    let text = "";
    for (const record of records) text += `${this.#redactor.toJson(record)}\n`;
    const bytes = Buffer.from(text);
    this.#ledger.exclusively(() => {
      const length = this.#mendTail();
      try {
        let at = 0;
        while (at < bytes.length) at += writeSync(this.#file, bytes, at);
      } catch (error) {
        ftruncateSync(this.#file, length);
        throw explainFileError(error);
      }
      for (const record of records) {
        // A run that was cancelled by name waits for the next launch.
        if (record.outcome.status === "cancelled" && this.#isEnding()) this.#ledger.giveBack(record);
        else this.#ledger.release(record);
      }
    });
    for (const { costUsd = 0, earlier = [] } of records)
      this.costUsd += earlier.reduce((sum, attempt) => sum + (attempt.costUsd ?? 0), costUsd);
    this.#isDirty = true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#sync();
    closeSync(this.#file);
    if (this.failure) throw this.failure;
  }

  /** Cuts off what follows the last whole line; gives the length that is left. */
  #mendTail(): number {
    const length = fstatSync(this.#file).size;
    const chunk = Buffer.alloc(1 << 16);
    for (let end = length; end > 0; ) {
      const start = Math.max(0, end - chunk.length);
      const bytes = readSync(this.#file, chunk, 0, end - start, start);
      const newline = chunk.subarray(0, bytes).lastIndexOf(10);
      if (newline >= 0) {
        const whole = start + newline + 1;
        if (whole < length) ftruncateSync(this.#file, whole);
        return whole;
      }
      end = start;
    }
    if (length > 0) ftruncateSync(this.#file, 0);
    return 0;
  }

  #sync(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    try {
      fdatasyncSync(this.#file);
    } catch (error) {
      this.failure = new MachineError(
        `the disk did not take the journal (${errorText(error)}): the newest records may be lost. Check the disk, then run the same command again.`,
      );
    }
  }
}
