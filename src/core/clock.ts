/** Time as an argument: the real one when running, a virtual one in tests. */
export interface Clock {
  /** Monotonic milliseconds: the only source of durations. */
  now(): number;
  /** Milliseconds since 1970: for people to read, never for differences. */
  wallTime(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
