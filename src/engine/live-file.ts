import { rmSync, statSync, utimesSync } from "node:fs";
import type { LiveState } from "../core/live-state.ts";
import type { Redactor } from "../core/redact.ts";
import { isFailure } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";

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
    } else if (event.kind === "paused") this.#say("paused");
    else if (event.kind === "resumed") this.#say("running");
    else if (event.kind === "stopping") this.#say("stopping");
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
