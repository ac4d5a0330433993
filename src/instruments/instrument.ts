import type { Params } from "../core/params.ts";

/** Measures something around the body of a run, never inside it. */
export interface Instrument {
  name: string;
  description: string;
  /** Called right before the body; what it returns is called right after it and gives metrics. */
  start(options: Params): () => Record<string, number>;
}
