import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";

const one = [{ attempts: 10, passed: 3 }];

test("pass@k is one minus the chance of drawing k failures, as exact fractions", () => {
  const expected = [0.3, 8 / 15, 17 / 24, 5 / 6, 11 / 12, 29 / 30, 119 / 120, 1, 1, 1];
  expected.forEach((p, i) => {
    expectClose(answer(stats.passAtK(one, i + 1)).value, p, 1e-14);
  });
});

test("pass^k is the chance of drawing k passes", () => {
  [3 / 10, 3 / 45, 1 / 120, 0].forEach((p, i) => {
    expectClose(answer(stats.passHatK(one, i + 1)).value, p, 1e-14);
  });
});

test("k = 1 is the plain pass rate both ways, and large counts don't overflow", () => {
  const many = [{ attempts: 5000, passed: 2500 }];
  expectClose(answer(stats.passAtK(many, 1)).value, 0.5, 1e-14);
  expectClose(answer(stats.passHatK(many, 1)).value, 0.5, 1e-14);
  expectClose(answer(stats.passHatK(many, 2000)).value, 0, 1e-14);
});

test("the mean is over tasks with enough attempts; those with fewer are counted, not guessed", () => {
  const tasks = [...one, { attempts: 10, passed: 10 }, { attempts: 2, passed: 2 }];
  const rate = answer(stats.passAtK(tasks, 5));
  expect(rate).toMatchObject({ tasks: 2, leftOut: 1 });
  expectClose(rate.value, (11 / 12 + 1) / 2, 1e-14);
  expect(rate.interval).toMatchObject({ known: false });
  expect(stats.passAtK(tasks, 11)).toEqual({ known: false, why: "no task has as many as 11 attempts" });
});

test("tasks are what is resampled for the interval", () => {
  const tasks = Array.from({ length: 40 }, (_, i) => ({ attempts: 8, passed: i % 9 }));
  const rate = answer(stats.passAtK(tasks, 2));
  const interval = answer(rate.interval);
  expect(interval.estimate).toBeCloseTo(rate.value, 12);
  expect(interval.high - interval.low).toBeGreaterThan(0.15);
});
