import type { Clock } from "../core/clock.ts";
import { startTimer } from "../core/long-timer.ts";

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        stop();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const stop = startTimer(ms, done);
      if (signal?.aborted) done();
      else signal?.addEventListener("abort", done, { once: true });
    }),
};
