import type { Chunk } from "./chunk.ts";
import type { SimWorker } from "./sim-worker.ts";

/** Results on their way: the chunk that each run was in, and who ran them. */
export interface Message {
  runs: Chunk[];
  worker: SimWorker;
  life: number;
}
