import { readFileSync } from "node:fs";

/**
 * Watches whether the body of this thread computes or waits. The kernel counts how long a thread ran and how long it
 * waited for a core, both in nanoseconds, so a busy machine is not taken for a body that waits. What comes back is
 * given the time of all bodies, and tells the share in which they did neither; undefined where the kernel does not count.
 */
export function watchWaiting(): (bodiesMs: number) => number | undefined {
  const before = claimedMs();
  return (bodiesMs) => {
    const after = claimedMs();
    if (before === undefined || after === undefined || bodiesMs <= 0) return undefined;
    return Math.min(1, Math.max(0, 1 - (after - before) / bodiesMs));
  };
}

/** /proc/thread-self/schedstat: time on a core, time in the queue for one, both in ns, and how often. */
function claimedMs(): number | undefined {
  try {
    const [ran, queued] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ").map(Number);
    return (ran! + queued!) / 1e6;
  } catch {
    return undefined;
  }
}
