import { listOf, number, objectWith, oneOf, optional, orNull, text } from "./shape.ts";

/** live.json: how far a running study is. */
export interface LiveState {
  pid: number;
  startedAtMs: number;
  total: number;
  /** Runs that had a good record before this launch. */
  finished: number;
  ok: number;
  failed: number;
  /** Absent in files that older versions wrote. */
  state?: "running" | "paused" | "stopping";
  running: { id: string; sinceMs: number }[];
}

export const LIVE_STATE = objectWith({
  pid: number,
  startedAtMs: number,
  // Of a search without end it is Infinity, which JSON has no word for.
  total: orNull(number),
  finished: number,
  ok: number,
  failed: number,
  state: optional(oneOf(["running", "paused", "stopping"])),
  running: listOf(objectWith({ id: text, sinceMs: number })),
});
