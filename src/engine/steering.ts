import { mkdirSync, readdirSync, rmSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import type { Executor } from "../core/executor.ts";
import { type ControlRequest, isControlRequest } from "../core/live-state.ts";
import type { StudyEvent } from "../core/sink.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";

/** Where requests to a running study come from. */
export interface Control {
  listen(onRequest: (request: ControlRequest) => void): void;
}

interface Steered {
  executor: Executor;
  kill: AbortController;
  /** Aborts when nothing more is to be launched. */
  halt: AbortSignal;
  emit(event: StudyEvent): void;
  /** Goes on with other limits. */
  adjust(request: ControlRequest): void;
  /** Does again what the infrastructure broke. */
  repeat(by: string): void;
  /** Called when there may be something to launch again, or no more. */
  onChange(): void;
}

/** Does what is asked of a running study from outside: to wait, to go on, in another way, to end all of it or one run. */
export class Steering {
  readonly #steered: Steered;
  /** Runs that wait between two tries, with how to end that. */
  readonly #resting = new Map<string, (reason: string) => void>();
  readonly #waiting = new Set<() => void>();
  #isPaused = false;

  constructor(steered: Steered) {
    this.#steered = steered;
    steered.halt.addEventListener("abort", () => this.#change(), { once: true });
  }

  /** Whether launching waits; a study that is to end waits for nothing. */
  get isPaused(): boolean {
    return this.#isPaused && !this.#steered.halt.aborted;
  }

  handle(request: ControlRequest): void {
    const { action, run, by } = request;
    const { executor, kill, halt, emit } = this.#steered;
    if (action === "adjust" || action === "rerun") {
      if (action === "adjust") this.#steered.adjust(request);
      else this.#steered.repeat(by);
      this.#change();
      return;
    }
    if (action === "cancel") {
      const reason = `cancelled ${by}`;
      if (run === undefined) {
        if (!kill.signal.aborted) emit({ kind: "stopping", why: reason });
        kill.abort();
        return;
      }
      const endRest = this.#resting.get(run);
      if (endRest) endRest(reason);
      else executor.cancel?.(run, { status: "cancelled", reason });
      return;
    }
    const isPaused = action === "pause";
    if (isPaused === this.#isPaused || halt.aborted) return;
    this.#isPaused = isPaused;
    emit({ kind: isPaused ? "paused" : "resumed", by });
    this.#change();
  }

  /** Waits before the next try at a run; gives the reason when the run was cancelled meanwhile. */
  async rest(runId: string, waitMs: number, clock: Clock): Promise<string | undefined> {
    const end = new AbortController();
    let reason: string | undefined;
    this.#resting.set(runId, (why) => {
      reason = why;
      end.abort();
      this.#change();
    });
    await clock.sleep(waitMs, AbortSignal.any([this.#steered.halt, end.signal]));
    while (this.isPaused && reason === undefined)
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    this.#resting.delete(runId);
    return reason;
  }

  #change(): void {
    for (const go of this.#waiting) go();
    this.#waiting.clear();
    this.#steered.onChange();
  }
}

/** People press buttons: a fifth of a second is at once, and listing an empty folder costs microseconds. */
const LOOK_MS = 200;

/**
 * Takes requests out of `control/` in the study's folder, in the order of their names. It is there while a runner
 * listens, and only the holder of the study's lock makes one; what was asked before the launch is dropped.
 */
export class ControlFolder implements Control {
  readonly #dir: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(studyDir: string) {
    this.#dir = `${studyDir}/${STUDY_FILES.control}`;
    rmSync(this.#dir, { recursive: true, force: true });
    mkdirSync(this.#dir);
  }

  listen(onRequest: (request: ControlRequest) => void): void {
    this.#timer = setInterval(() => {
      for (const request of this.take()) onRequest(request);
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** What has been asked since the last look. A file that is no request is dropped too. */
  take(): ControlRequest[] {
    const requests: ControlRequest[] = [];
    for (const name of this.#names()) {
      const path = `${this.#dir}/${name}`;
      const request = readJsonIfAny(path, { isForeign: true });
      if (isControlRequest(request)) requests.push(request);
      rmSync(path, { recursive: true, force: true });
    }
    return requests;
  }

  close(): void {
    clearInterval(this.#timer);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir)
        .filter((name) => name.endsWith(".json"))
        .sort();
    } catch {
      return []; // The folder was moved or deleted under us; the journal will say so.
    }
  }
}
