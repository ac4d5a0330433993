import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/host/clock.ts";

const A_DAY_MS = 86_400_000;

test("a sleeper wakes when the signal aborts, and does not fall asleep after it has", async () => {
  const waker = new AbortController();
  const asleep = Promise.all([
    sleep(A_DAY_MS, { signal: waker.signal }),
    systemClock.sleep(A_DAY_MS, waker.signal),
  ]);
  waker.abort();
  await asleep;
  await systemClock.sleep(A_DAY_MS, waker.signal);
  expect(waker.signal.aborted).toBe(true);
});

test("a sleeper without a signal wakes by itself, and time has not gone back", async () => {
  const before = systemClock.now();
  await sleep(1);
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});
