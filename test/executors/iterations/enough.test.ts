import { describe, expect, test } from "vitest";
import { Enough, halfWidth } from "../../../src/executors/iterations/enough.ts";

const noisy = (count: number) => Array.from({ length: count }, (_, i) => 100 + ((i * 7919) % 11) - 5);

describe("a run has iterations enough", () => {
  test("when there are as many as asked for", () => {
    const enough = new Enough({ warmup: 0, measured: 3 });
    expect([[], [1], [1, 2], [1, 2, 3]].map((values) => enough.has(values))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test("when the time is up, but never without one", () => {
    let now = 0;
    const enough = new Enough({ warmup: 0, measured: 100, timeMs: 50 }, () => now);
    expect(enough.has([1])).toBe(false);
    now = 50;
    expect(enough.has([])).toBe(false);
    expect(enough.has([1])).toBe(true);
  });

  test("when the interval of the median is narrow enough, which takes the longer the narrower", () => {
    const neededFor = (until: number) => {
      const enough = new Enough({ warmup: 0, measured: 100_000, timeMs: 1000, until }, () => 0);
      let count = 0;
      while (!enough.has(noisy(count))) count++;
      return count;
    };
    const [wide, narrow] = [neededFor(0.03), neededFor(0.01)];
    expect(wide).toBeGreaterThanOrEqual(10);
    expect(narrow).toBeGreaterThan(2 * wide);
  });
});

test("the interval of a median needs a median, and no spread is no width", () => {
  expect(halfWidth([0, 0, 0, 0])).toBe(Number.POSITIVE_INFINITY);
  expect(halfWidth(Array.from({ length: 20 }, () => 5))).toBe(0);
});
