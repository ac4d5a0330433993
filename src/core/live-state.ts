import type { Standing } from "./decider.ts";
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
  /** Of a study that decides as it goes. */
  standing?: Standing;
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
  standing: optional(objectWith({ rounds: number, of: number, noun: text, settled: number, pairs: number })),
});

/** What may be asked of a running study from outside: a small file in its folder `control/`. */
export interface ControlRequest {
  /** `pause`: launch nothing more; runs in progress continue. `cancel`: end what runs, all of it or one run. */
  action: "pause" | "resume" | "cancel";
  /** The id of the one run to cancel; the whole launch when absent. */
  run?: string;
  /** Who asked, as it stands after "cancelled": "from the page". */
  by: string;
}

export function isControlRequest(value: unknown): value is ControlRequest {
  const { action, run, by } = (value ?? {}) as Record<string, unknown>;
  return (
    (action === "pause" || action === "resume" || action === "cancel") &&
    (run === undefined || typeof run === "string") &&
    typeof by === "string"
  );
}
