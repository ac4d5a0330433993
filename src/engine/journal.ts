import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { errorText, MachineError } from "../core/errors.ts";
import type { Redactor } from "../core/redact.ts";
import type { RunRecord } from "../core/run.ts";

const SYNC_MS = 500;

/**
 * The truth of a study: one record per line, appended in one write, so that a crash can tear only the last line.
 * Data reaches the disk twice a second and at the end. When the disk refuses, `failure` says so, the study stops, and
 * what the disk has not confirmed is taken back: the kernel would go on showing it to readers, and call it written the
 * next time it is asked, though it may be nowhere but in memory.
 */
export class Journal {
  readonly #file: number;
  readonly #redactor: Redactor;
  #length: number;
  /** What the disk has confirmed. */
  #safeLength: number;
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
    try {
      fdatasyncSync(this.#file);
    } catch (error) {
      closeSync(this.#file);
      throw notSynced(error);
    }
    this.#safeLength = this.#length;
    this.#redactor = redactor;
    this.#timer = setInterval(() => this.#sync(), SYNC_MS);
    this.#timer.unref();
  }

  append(records: RunRecord[]): void {
    if (this.failure) throw this.failure;
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
        `the journal could not be written (${errorText(error)}). What was recorded before is safe; make room and run the same command again to resume.`,
      );
    }
  }

  close(): void {
    clearInterval(this.#timer);
    try {
      if (!this.failure) fdatasyncSync(this.#file);
    } catch (error) {
      this.#takeBack(error);
    } finally {
      closeSync(this.#file);
    }
    if (this.failure) throw this.failure;
  }

  #sync(): void {
    if (!this.#isDirty || this.#isSyncing) return;
    this.#isDirty = false;
    this.#isSyncing = true;
    const length = this.#length;
    fdatasync(this.#file, (error) => {
      this.#isSyncing = false;
      if (error) this.#takeBack(error);
      else this.#safeLength = length;
    });
  }

  #takeBack(error: unknown): void {
    this.failure ??= notSynced(error);
    try {
      ftruncateSync(this.#file, this.#safeLength);
      this.#length = this.#safeLength;
    } catch {
      // It takes nothing at all any more; the failure has been told.
    }
  }
}

function notSynced(error: unknown): MachineError {
  return new MachineError(
    `the disk did not take the journal (${errorText(error)}): the records of the last second are taken back, and their runs will be done again. Check the disk, then run the same command again.`,
  );
}
