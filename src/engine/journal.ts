import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { errorText, MachineError } from "../core/errors.ts";
import type { LiveState } from "../core/live-state.ts";
import type { Redactor } from "../core/redact.ts";
import { isFailure, type RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";

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

const WRITE_MS = 500;
const MOST_SHOWN = 100;

/** Says in live.json what is under way, for `assay status` and the page; the journal has everything else. */
export class LiveFile implements Sink {
  readonly #path: string;
  readonly #redactor: Redactor;
  readonly #running = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #state: LiveState = {
    pid: process.pid,
    startedAtMs: Date.now(),
    total: 0,
    finished: 0,
    ok: 0,
    failed: 0,
    state: "running",
    running: [],
  };
  #isDirty = false;

  constructor(studyDir: string, redactor: Redactor) {
    this.#path = `${studyDir}/${STUDY_FILES.live}`;
    this.#redactor = redactor;
    this.#timer = setInterval(() => this.#write(), WRITE_MS);
    this.#timer.unref();
  }

  handle(event: StudyEvent): void {
    this.#isDirty = true;
    if (event.kind === "planned") {
      this.#state = { ...this.#state, total: event.total, finished: event.finished };
      this.#write();
    } else if (event.kind === "started") this.#running.set(event.run.id, Date.now());
    else if (event.kind === "ended") {
      this.#running.delete(event.record.id);
      if (isFailure(event.record.outcome)) this.#state.failed++;
      else if (event.record.outcome.status !== "cancelled") this.#state.ok++;
    } else if (event.kind === "deciding") this.#state.standing = event.standing;
    else if (event.kind === "paused") this.#say("paused");
    else if (event.kind === "resumed") this.#say("running");
    else if (event.kind === "stopping") this.#say("stopping");
    else if (event.kind === "repeating") this.#state.failed -= event.runs;
    else if (event.kind === "adjusted") {
      if (event.jobs !== undefined) this.#state.jobs = event.jobs;
      if (event.costUsd !== undefined) this.#state.costLimitUsd = event.costUsd;
      this.#write();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    rmSync(this.#path, { force: true });
  }

  #say(state: LiveState["state"] & string): void {
    this.#state.state = state;
    this.#write();
  }

  /** When it was last written says until when the runner was alive. */
  #beat(): void {
    try {
      utimesSync(this.#path, new Date(), new Date());
    } catch {
      // Not written yet, or the disk refuses.
    }
  }

  #write(): void {
    if (!this.#isDirty) {
      this.#beat();
      return;
    }
    this.#isDirty = false;
    const shown = [...this.#running].slice(0, MOST_SHOWN);
    this.#state.running = shown.map(([id, sinceMs]) => ({ id, sinceMs }));
    try {
      replaceFile(this.#path, this.#redactor.toJson(this.#state), { isDurable: false });
    } catch {
      // A full disk shows in the journal, which stops the study; this file is a convenience.
    }
  }
}

/** What the launch before left, where it was killed: the runs that it had under way, with when it was last alive. */
export function lastSeen(studyDir: string): Record<string, number> {
  const path = `${studyDir}/${STUDY_FILES.live}`;
  const atMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (atMs === undefined) return {};
  const running = readJsonIfAny<Partial<LiveState>>(path, { isForeign: true })?.running ?? [];
  return Object.fromEntries(running.map(({ id }) => [id, atMs]));
}
