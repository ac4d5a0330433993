import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";

describe("t tests", () => {
  test.each([
    [0.5, 15, 0.26244303386523304],
    [0.5, 64, 0.8014595579222541],
    [0.8, 26, 0.8074866151465275],
    [0.2, 100, 0.2906458716590866],
  ])("the power of d = %d with %d an arm agrees with mpmath's integral", (d, n, power) =>
    expectClose(answer(stats.tTestPower(d, n)).value, power, 1e-12),
  );

  test("paired and one-tailed designs agree with R's power.t.test", () => {
    expectClose(answer(stats.tTestPower(0.5, 15, { design: "paired" })).value, 0.43792671068869);
    expectClose(answer(stats.tTestPower(0.2, 15, { tails: "effect" })).value, 0.0762487093949262);
  });

  test("n for an effect and the effect for an n are inverses of power, as mpmath solves them", () => {
    expectClose(answer(stats.sampleSize(0.5, 0.8, { tails: "effect" })).exact, 63.76576372485063, 1e-12);
    expect(answer(stats.sampleSize(0.5, 0.8)).n).toBe(64);
    expectClose(
      answer(stats.minimumDetectableEffect(15, 0.8, { tails: "effect" })).value,
      1.059800842115863,
      1e-12,
    );
    const effect = answer(stats.minimumDetectableEffect(12, 0.9, { design: "paired", sd: 3 })).value;
    expectClose(answer(stats.sampleSize(effect, 0.9, { design: "paired", sd: 3 })).exact, 12, 1e-10);
  });

  test("a trimmed mean has the degrees of freedom of the values it keeps", () => {
    // 28 of 40 are kept, and the mean is known as well as that of all 40.
    const trimmed = { design: "paired", sd: 2, trim: 0.15 } as const;
    const kept = answer(stats.tTestPower(1, 28, { design: "paired", sd: 2 * Math.sqrt(0.7) })).value;
    expectClose(answer(stats.tTestPower(1, 40, trimmed)).value, kept, 1e-12);
  });

  test("the spread is a standard deviation: with twice the spread, twice the effect has the same power", () => {
    const power = answer(stats.tTestPower(0.5, 30)).value;
    expectClose(answer(stats.tTestPower(1, 30, { sd: 2 })).value, power, 1e-12);
  });
});

test("tries for two success rates agree with R's power.prop.test", () => {
  expectClose(answer(stats.sampleSizeForProportions(0.53, 0.58)).exact, 1549.60219863726, 1e-7);
});

describe("tasks with rollouts", () => {
  const pilot = { betweenSd: 0.1, withinSd: [0.4, 0.4], rollouts: [1, 1] } as const;

  test("the normal approximation is the textbook's formula", () => {
    const tasks = answer(stats.tasksForEffect(0.05, { ...pilot, rollouts: [4, 2] }));
    const z = 1.959963984540054 + 0.8416212335729143;
    expectClose(tasks.normalApproximation, (z ** 2 * (0.01 + 0.16 / 4 + 0.16 / 2)) / 0.0025, 1e-10);
    expect(tasks.n).toBeGreaterThanOrEqual(tasks.normalApproximation);
    expect(tasks.n).toBeLessThan(tasks.normalApproximation + 3);
  });

  test("more rollouts stop helping once tasks differ more than rollouts do", () => {
    const tasks = (rollouts: number) =>
      answer(stats.tasksForEffect(0.05, { ...pilot, rollouts: [rollouts, rollouts] })).n;
    expect(tasks(4)).toBeLessThan(tasks(1) / 3);
    expect(tasks(1000)).toBeGreaterThan(
      0.9 * answer(stats.sampleSize(0.05, 0.8, { design: "paired", sd: 0.1 })).n,
    );
  });

  test("the effect for a number of tasks inverts the tasks for an effect", () => {
    const { exact } = answer(stats.tasksForEffect(0.05, pilot));
    expectClose(answer(stats.effectForTasks(exact, pilot)).value, 0.05, 1e-9);
  });

  test("variance components are those of the analysis of variance", () => {
    const components = answer(
      stats.varianceComponents([
        [1, 3],
        [5, 7],
        [9, 11],
      ]),
    );
    expectClose(components.withinSd ** 2, 2, 1e-12);
    expectClose(components.betweenSd ** 2, (32 - 2) / 2, 1e-12);
    const none = answer(
      stats.varianceComponents([
        [1, 9],
        [2, 8],
        [0, 10],
      ]),
    );
    expect(none).toMatchObject({ betweenSd: 0, intraclass: 0 });
  });

  test("a pilot of two arms gives the components that planning asks for", () => {
    const first = [
      [1, 3],
      [6, 8],
      [9, 13],
    ];
    const second = [
      [0, 2],
      [4, 6],
      [5, 7],
    ];
    const components = answer(stats.pairedVarianceComponents(first, second));
    expectClose(components.withinSd[0] ** 2, (2 + 2 + 8) / 3, 1e-12);
    expectClose(components.withinSd[1] ** 2, 2, 1e-12);
    const measured = answer(stats.variance([1, 2, 5])).value;
    expectClose(components.betweenSd ** 2, measured - 4 / 2 - 2 / 2, 1e-12);
  });
});
