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
