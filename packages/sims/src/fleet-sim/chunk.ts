import type { FleetParams } from "./index.ts";

/** Runs that travel together. */
export interface Chunk {
  index: number;
  /** The first of its runs; the others follow it. */
  readonly firstRun: number;
  readonly size: number;
  worker: number;
  arrivedUs: number;
  /** When the newest of its runs began. */
  begunUs: number;
  begun: number;
  ended: number;
  /** Runs whose results the queue has. */
  acknowledged: number;
  /** The queue has been told that it is done. */
  isFinishing: boolean;
}

export function makeChunk(firstRun: number, size: number): Chunk {
  return {
    index: -1,
    firstRun,
    size,
    worker: -1,
    arrivedUs: 0,
    begunUs: 0,
    begun: 0,
    ended: 0,
    acknowledged: 0,
    isFinishing: false,
  };
}

/** How many runs travel together and how many are asked for: the rules of the queue executor. */
export class ChunkRules {
  readonly #params: FleetParams;
  #size = 1;

  constructor(params: FleetParams) {
    this.#params = params;
  }

  /** Takes account of results: their mean time, in milliseconds. */
  learn(meanMs: number): void {
    const { chunk_ms, most_in_chunk } = this.#params;
    const fitting = Math.floor(chunk_ms / Math.max(meanMs, 1e-6));
    this.#size = Math.max(1, Math.min(fitting, this.#size * 2, most_in_chunk));
  }

  /** Runs that may be under way. */
  capacity(slots: number): number {
    const { window, ahead } = this.#params;
    return Math.min(window, Math.floor(slots * this.#size * (this.#size > 1 ? 2 * ahead : ahead)));
  }

  /** The sizes of the chunks that so many runs make, spread over the fleet. */
  split(runs: number, slots: number): number[] {
    const size = Math.max(1, Math.min(this.#size, Math.ceil(runs / slots)));
    const sizes: number[] = [];
    for (let left = runs; left > 0; left -= size) sizes.push(Math.min(size, left));
    return sizes;
  }
}
