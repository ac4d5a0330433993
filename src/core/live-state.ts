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
  /** Where somebody has changed them since the launch. */
  jobs?: number;
  costLimitUsd?: number;
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
  ...{ jobs: optional(number), costLimitUsd: optional(number) },
  running: listOf(objectWith({ id: text, sinceMs: number })),
  standing: optional(objectWith({ rounds: number, of: number, noun: text, settled: number, pairs: number })),
});

/** What may be asked of a running study from outside: a small file in its folder `control/`. */
export interface ControlRequest {
  /**
   * `pause`: launch nothing more; runs in progress continue. `cancel`: end what runs, all of it or one run. `adjust`: go
   * on with another number of runs at once, or another limit. `rerun`: repeat what the infrastructure broke.
   */
  action: "pause" | "resume" | "cancel" | "adjust" | "rerun";
  /** The id of the one run to cancel; the whole launch when absent. */
  run?: string;
  /** Of `adjust`: runs at the same time, and what the launch may cost and take in all. */
  jobs?: number;
  costUsd?: number;
  wallMs?: number;
  /** Who asked, as it stands after "cancelled": "from the page". */
  by: string;
}

export function isControlRequest(value: unknown): value is ControlRequest {
  const { action, run, by, jobs, costUsd, wallMs } = (value ?? {}) as Record<string, unknown>;
  const amounts = [costUsd, wallMs].filter((amount) => amount !== undefined);
  const isAmount = (amount: unknown) => typeof amount === "number" && amount > 0 && amount < Infinity;
  const isCount =
    jobs === undefined || (Number.isInteger(jobs) && isAmount(jobs) && (jobs as number) <= MOST_JOBS);
  const hasChange = jobs !== undefined || amounts.length > 0;
  return (
    typeof by === "string" &&
    (run === undefined || (typeof run === "string" && action === "cancel")) &&
    (action === "adjust"
      ? hasChange && isCount && amounts.every(isAmount)
      : !hasChange && ["pause", "resume", "cancel", "rerun"].includes(String(action)))
  );
}

/** More at once is a mistyped number. */
const MOST_JOBS = 10_000;
