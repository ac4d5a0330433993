import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";
import { sleep } from "./samples.ts";

test("p is the larger of two one-sided tests, as scipy gives them", () => {
  const paired = answer(stats.equivalenceTest(sleep.first, sleep.second, { margin: 3, paired: true }));
  expectClose(paired.p, 0.002655570292658671);
  expect(paired.equivalent).toBe(true);
  const welch = answer(stats.equivalenceTest(sleep.first, sleep.second, { margin: 3 }));
  expectClose(welch.p, 0.05597891453224441);
  expect(welch.equivalent).toBe(false);
});

test("it says yes exactly if the 90 % interval lies within the margin", () => {
  for (const margin of [2.2, 2.25, 2.28, 2.3, 2.4, 3]) {
    const { equivalent, interval } = answer(
      stats.equivalenceTest(sleep.first, sleep.second, { margin, paired: true }),
    );
    expect(equivalent).toBe(interval.low > -margin && interval.high < margin);
  }
});

test("margins may differ by direction, and must be a range", () => {
  expect(
    answer(stats.equivalenceTest(sleep.first, sleep.second, { margin: [-3, 0.5], paired: true })).equivalent,
  ).toBe(true);
  expect(() => stats.equivalenceTest(sleep.first, sleep.second, { margin: -1 })).toThrow("margin");
});
