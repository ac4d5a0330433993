import type { Clock } from "../core/clock.ts";

interface SleepOptions {
  /** Wakes the sleeper at once when it aborts. */
  signal?: AbortSignal | undefined;
  /** False lets the process end meanwhile. */
  ref?: boolean;
}

/** Resolves after `ms`, up to Infinity, or as soon as the signal aborts; never rejects. */
export function sleep(ms: number, { signal, ref = true }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const stop = startTimer(ms, done, { ref });
    if (signal?.aborted) done();
    else signal?.addEventListener("abort", done, { once: true });
  });
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, { signal }),
};

/** More than this overflows a timer, which then fires at once: 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** As setTimeout, for any time up to Infinity; gives what stops it. */
export function startTimer(ms: number, act: () => void, { ref = true } = {}): () => void {
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number): void => {
    timer = leftMs > LONGEST_MS ? setTimeout(wait, LONGEST_MS, leftMs - LONGEST_MS) : setTimeout(act, leftMs);
    if (!ref) timer.unref();
  };
  wait(ms);
  return () => clearTimeout(timer);
}
