import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../core/clock.ts";

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal && { signal }).catch(() => {}),
};
