import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { errorText, MachineError } from "../core/errors.ts";
import type { Redactor } from "../core/redact.ts";
import type { RunRecord } from "../core/run.ts";

const SYNC_MS = 500;

/**
 * The truth of a study: one record a line, appended in one write, so that a crash can tear only the last line.
 * Data reaches the disk twice a second and at the end; when the disk refuses, `failure` says so and the study
 * stops rather than call anything done.
 */
export class Journal {
  readonly #file: number;
  readonly #redactor: Redactor;
  #length: number;
  #isDirty = false;
  #isSyncing = false;
  #timer: NodeJS.Timeout;
  failure: MachineError | undefined;

  /** Goes on after the last good record: whatever torn bytes follow it are cut off. */
  constructor(
    path: string,
    { goodBytes, needsNewline }: { goodBytes: number; needsNewline: boolean },
    redactor: Redactor,
  ) {
    this.#file = openSync(path, "a");
    ftruncateSync(this.#file, goodBytes);
    if (needsNewline) writeSync(this.#file, "\n");
    this.#length = goodBytes + Number(needsNewline);
    this.#redactor = redactor;
    this.#timer = setInterval(() => this.#sync(), SYNC_MS);
    this.#timer.unref();
  }

  append(records: RunRecord[]): void {
    let text = "";
    for (const record of records) text += `${this.#redactor.toJson(record)}\n`;
    const bytes = Buffer.from(text);
    try {
      let at = 0;
      while (at < bytes.length) at += writeSync(this.#file, bytes, at);
      this.#length += bytes.length;
      this.#isDirty = true;
    } catch (error) {
      // Half a record would glue itself to the next one.
      ftruncateSync(this.#file, this.#length);
      throw new MachineError(
        `the journal could not be written (${errorText(error)}). What was recorded before is safe; make room and run the same command again to go on.`,
      );
    }
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.failure) throw this.failure;
    try {
      fdatasyncSync(this.#file);
    } catch (error) {
      throw notSynced(error);
    } finally {
      closeSync(this.#file);
    }
  }

  #sync(): void {
    if (!this.#isDirty || this.#isSyncing) return;
    this.#isDirty = false;
    this.#isSyncing = true;
    fdatasync(this.#file, (error) => {
      this.#isSyncing = false;
      if (error) this.failure = notSynced(error);
    });
  }
}

function notSynced(error: unknown): MachineError {
  return new MachineError(
    `the disk did not take the journal (${errorText(error)}): the newest records may be lost. Check the disk, then run the same command again.`,
  );
}
