import type { Clock } from "../../src/core/clock.ts";

interface Sleeper {
  atMs: number;
  sequence: number;
  wake(): void;
}

/** A clock that jumps to the next thing that anybody waits for: hours of a study pass in no time. */
export class VirtualClock implements Clock {
  #nowMs = 0;
  #sequence = 0;
  readonly #sleepers: Sleeper[] = [];
  #isAdvancing = false;

  now(): number {
    return this.#nowMs;
  }

  wallTime(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const abort = () => this.#wake(sleeper);
      const wake = () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const sleeper = { atMs: this.#nowMs + ms, sequence: this.#sequence++, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", abort);
      this.#advance();
    });
  }

  /** Time moves only when everything that could happen now has happened. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    setImmediate(() =>
      setImmediate(() => {
        this.#isAdvancing = false;
        const next = this.#sleepers.toSorted((a, b) => a.atMs - b.atMs || a.sequence - b.sequence)[0];
        if (!next) return;
        this.#nowMs = Math.max(this.#nowMs, next.atMs);
        this.#wake(next);
        if (this.#sleepers.length > 0) this.#advance();
      }),
    );
  }

  #wake(sleeper: Sleeper): void {
    const index = this.#sleepers.indexOf(sleeper);
    if (index >= 0) this.#sleepers.splice(index, 1);
    sleeper.wake();
  }
}
