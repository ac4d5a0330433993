import type { Clock } from "../core/clock.ts";
import type { ControlRequest } from "../core/control-request.ts";
import type { Executor } from "../core/executor.ts";
import type { StudyEvent } from "../core/sink.ts";

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
  /** Called when there may be something to launch again, or no more. */
  onChange(): void;
}

/** Does what is asked of a running study from outside: to wait, to go on, to end all of it or one run. */
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

  handle({ action, run, by }: ControlRequest): void {
    const { executor, kill, halt, emit } = this.#steered;
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
