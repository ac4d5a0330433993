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
