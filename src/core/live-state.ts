/** live.json: how far a running study is. */
export interface LiveState {
  pid: number;
  startedAtMs: number;
  total: number;
  /** Runs that had a good record before this launch. */
  finished: number;
  ok: number;
  failed: number;
  running: { id: string; sinceMs: number }[];
}
