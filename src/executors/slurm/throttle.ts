import type { Batch } from "./batch.ts";
import { setThrottle } from "./slurm-commands.ts";

/**
 * Keeps all arrays of a study together to the tasks that may run at once: Slurm's own `%N` knows one array only. Older
 * arrays go first; a newer one gets what they leave, and more as they end.
 */
export class Throttle {
  readonly #concurrent: number | undefined;
  readonly #given = new Map<Batch, number>();

  constructor(concurrent: number | undefined) {
    this.#concurrent = concurrent;
  }

  /** Tasks that a further array may run at once: 0 is none for now, undefined no bound. */
  room(live: readonly Batch[]): number | undefined {
    if (this.#concurrent === undefined) return undefined;
    return Math.max(0, this.#concurrent - live.reduce((sum, batch) => sum + batch.unfinished, 0));
  }

  begin(batch: Batch, share: number | undefined): void {
    if (share !== undefined) this.#given.set(batch, share);
  }

  /** Hands what ended arrays leave to those that are still there. */
  async adjust(live: readonly Batch[]): Promise<void> {
    let left = this.#concurrent ?? 0;
    for (const batch of live) {
      const given = this.#given.get(batch);
      if (given !== undefined && given < left) {
        this.#given.set(batch, left);
        await setThrottle(batch.jobId, left);
      }
      left = Math.max(0, left - batch.unfinished);
    }
  }
}
