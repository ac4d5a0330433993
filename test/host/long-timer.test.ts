import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTimer } from "../../src/host/clock.ts";

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([0, 1, 24, 25, 50, 400])("a timer of %d days fires then, and once", (days) => {
  const act = vi.fn();
  startTimer(days * DAY_MS, act);
  if (days > 0) vi.advanceTimersByTime(days * DAY_MS - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100 * DAY_MS);
  expect(act).toHaveBeenCalledTimes(1);
});

test("one that was stopped never fires, nor does one that waits for ever", () => {
  const act = vi.fn();
  const stop = startTimer(60 * DAY_MS, act);
  startTimer(Number.POSITIVE_INFINITY, act);
  vi.advanceTimersByTime(30 * DAY_MS);
  stop();
  vi.advanceTimersByTime(1000 * DAY_MS);
  expect(act).not.toHaveBeenCalled();
});
