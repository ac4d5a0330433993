import { describe, expect, test } from "vitest";
import * as stats from "../../../src/stats/index.ts";
import { answer } from "../answer.ts";
import { expectRate, rate, simulator } from "./simulate.ts";

const RUNS = 1000;

/** Tasks that differ, with rollouts that differ within them; about zero. */
function tasksOf(
  purpose: string,
  { tasks, between, sizes }: { tasks: number; between: number; sizes: () => number },
) {
  const { normal, uniform } = simulator(purpose);
  return () =>
    Array.from({ length: tasks }, () => {
      const level = between * normal();
      return Array.from({ length: Math.ceil(sizes() * uniform()) }, () => level + normal());
    });
}

const covers = (interval: stats.Result<stats.Interval>) =>
  answer(interval).low <= 0 && answer(interval).high >= 0;
const clustered = (tasks: number[][], correction: "cr2" | "miller" = "cr2") =>
  stats.clusteredInterval(
    tasks.flat(),
    tasks.flatMap((task, i) => task.map(() => i)),
    { correction },
  );

describe("95 % intervals over clusters", () => {
  test.each([5, 10, 20, 50])(
    "CR2, %d unequal clusters, correlated or not: covers 95 percent, or a little more where few",
    (count) => {
      for (const between of [0, 1, 3]) {
        const draw = tasksOf(`cr2/${count}/${between}`, { tasks: count, between, sizes: () => 8 });
        const coverage = rate(RUNS, () => covers(clustered(draw())));
        expect(coverage).toBeGreaterThan(0.95 - 3.5 * Math.sqrt((0.95 * 0.05) / RUNS));
        expect(coverage).toBeLessThan(count === 5 ? 0.99 : 0.975);
      }
    },
  );

  test("the naive interval is far too short, and the uncorrected clustered one somewhat", () => {
    const draw = tasksOf("naive", { tasks: 10, between: 1, sizes: () => 8 });
    expect(rate(RUNS, () => covers(stats.tInterval(draw().flat())))).toBeLessThan(0.8);
    expect(rate(RUNS, () => covers(clustered(draw(), "miller")))).toBeLessThan(0.945);
  });

  test("hierarchical bootstrap, 50 tasks of up to 6 rollouts: drawing both levels errs towards wide", () => {
    const draw = tasksOf("hierarchical", { tasks: 50, between: 1, sizes: () => 6 });
    const coverage = (resample: "both" | "tasks") =>
      rate(400, () => covers(stats.hierarchicalBootstrap(draw(), { resample, resamples: 399 })));
    expectRate(coverage("tasks"), 0.94, { runs: 400 });
    expect(coverage("both")).toBeGreaterThan(0.93);
  });

  test.each([
    [20, 3],
    [20, 5],
    [40, 3],
  ])(
    "two agents on the same %d tasks, %d tries each: drawing both levels covers, and its p agrees",
    (tasks, tries) => {
      for (const spread of [0.1, 0.8]) {
        const { uniform } = simulator(`hierarchical/rates/${tasks}/${tries}/${spread}`);
        const arm = (chances: number[]) =>
          chances.map((chance) => Array.from({ length: tries }, () => (uniform() < chance ? 1 : 0)));
        const run = () => {
          // Tasks differ in how often they are solved, and agents in which they solve: on the whole alike.
          const first = Array.from({ length: tasks }, uniform);
          const second = first.map((chance) => chance * (1 - spread) + spread * uniform());
          const found = stats.hierarchicalBootstrapDifference(arm(first), arm(second), { resamples: 399 });
          expect(answer(found).p < 0.04 && covers(found)).toBe(false);
          return covers(found);
        };
        expect(rate(400, run)).toBeGreaterThan(0.95 - 3.5 * Math.sqrt((0.95 * 0.05) / 400));
      }
    },
  );

  test("hierarchical bootstrap of two arms on the same 40 tasks", () => {
    const { normal } = simulator("hierarchical/difference");
    const run = () => {
      const levels = Array.from({ length: 40 }, () => 5 * normal());
      const arm = () => levels.map((level) => [level + normal(), level + normal(), level + normal()]);
      return covers(
        stats.hierarchicalBootstrapDifference(arm(), arm(), { resample: "tasks", resamples: 399 }),
      );
    };
    expectRate(rate(400, run), 0.94, { runs: 400 });
  });
});
