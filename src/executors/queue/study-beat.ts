import { hostname } from "node:os";
import { basename } from "node:path";
import type { Setting } from "../../core/executor.ts";
import type { LiveState } from "../../core/live-state.ts";
import type { Attempt } from "../../core/run.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import type { Store } from "../../fleet/broker/store.ts";
import { type StudyNote, StudyNotes } from "../../fleet/study-notes.ts";
import { readJsonIfAny } from "../../host/files.ts";

const MOST_PARKED = 20;

/** Tells the fleet how far a study is: what live.json says, and which runs were parked. */
export class StudyBeat {
  readonly #store: Store;
  readonly #notes: StudyNotes;
  readonly #study: string;
  readonly #setting: Setting;
  #parked: StudyNote["parked"] = [];
  #startedAtMs: number | undefined;
  #beating: Promise<void> | undefined;

  constructor(store: Store, study: string, setting: Setting) {
    this.#store = store;
    this.#notes = new StudyNotes(store);
    this.#study = study;
    this.#setting = setting;
  }

  learn(run: string, { outcome: { reason } }: Attempt): void {
    if (reason?.startsWith("parked:")) this.#parked = [...this.#parked, { run, reason }].slice(-MOST_PARKED);
  }

  /** One at a time. A server that is away hears it the next time. */
  beat(): Promise<void> {
    this.#beating ??= this.#write().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** The study is no longer under way. */
  async end(): Promise<void> {
    // One that is on its way would bring it back.
    await this.#beating;
    await this.#notes.remove(this.#study);
  }

  async #write(): Promise<void> {
    const { studyDir, queue } = this.#setting;
    try {
      const nowMs = await this.#store.nowMs();
      this.#startedAtMs ??= nowMs;
      const live = readJsonIfAny<LiveState>(`${studyDir}/${STUDY_FILES.live}`);
      await this.#notes.write({
        id: this.#study,
        name: basename(studyDir),
        host: hostname(),
        pid: process.pid,
        state: live?.state ?? "running",
        total: live?.total ?? null,
        ended: live ? live.finished + live.ok + live.failed : 0,
        failed: live?.failed ?? 0,
        limits: queue?.limits ?? [],
        parked: this.#parked,
        startedAtMs: this.#startedAtMs,
        seenAtMs: nowMs,
      });
    } catch {
      // The study itself notices what is wrong with the queue.
    }
  }
}
