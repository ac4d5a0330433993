import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import type { ArmSet } from "../../../src/design/arm-set.ts";
import { adjustedDifference } from "../../../src/stats/index.ts";
import { answer } from "../answer.ts";
import { expectAtMost, rate, simulator } from "./simulate.ts";

const RUNS = 1500;

/** Tasks of some difficulty, and the scores of two arms of equal mean, of which one feels the difficulty more. */
function taskSource(purpose: string) {
  const { normal } = simulator(purpose);
  return (count: number) =>
    Array.from({ length: count }, () => {
      const x = normal();
      return { x, a: 1.2 * x + normal() / 2, b: 0.4 * x + normal() / 2 };
    });
}

describe("differences that are adjusted for a covariate", () => {
  test.each([
    [6, 12],
    [10, 100],
    [30, 60],
    [30, 30],
  ])(
    "%d tasks of %d with a known difficulty: pairs and groups cover 95 percent or a little more",
    (n, all) => {
      const draw = taskSource(`adjusted/${n}/${all}`);
      const isMissed = (isPaired: boolean) => {
        const tasks = draw(Math.max(all, isPaired ? 0 : 2 * n));
        const reference = tasks.map(({ x }) => x);
        const first = tasks.slice(0, n);
        const arm = (some: typeof tasks, of: (task: (typeof tasks)[number]) => number) => ({
          values: some.map(of),
          covariate: some.map(({ x }) => x),
        });
        const { low, high } = answer(
          isPaired
            ? adjustedDifference(
                arm(first, ({ a, b }) => a - b),
                undefined,
                { reference },
              )
            : adjustedDifference(
                arm(first, ({ a }) => a),
                arm(tasks.slice(n, 2 * n), ({ b }) => b),
                { reference },
              ),
        );
        return low > 0 || high < 0;
      };
      for (const isPaired of [true, false])
        expectAtMost(
          rate(RUNS, () => isMissed(isPaired)),
          0.05,
          { runs: RUNS },
        );
    },
  );

  test("compare keeps its level with a covariate, and finds what it misses without", () => {
    const draw = taskSource("adjusted/compare");
    const found = { level: [0, 0], power: [0, 0] };
    const runs = 400;
    const compared = (tasks: ReturnType<typeof draw>, shift: number, isAdjusted: boolean) => {
      const measured = tasks.slice(0, 20);
      const arm = (name: "a" | "b") => ({
        name,
        observations: measured.map((task, i) => ({
          ...{ id: i, unit: String(i) },
          value: task[name] + (name === "a" ? shift : 0),
        })),
      });
      const set: ArmSet = {
        ...{ metric: "score", part: null, arms: [arm("b"), arm("a")], keys: ["task"], goal: "maximize" },
        ...{ hasRollouts: true, isAsked: false },
      };
      const values = new Map(tasks.map(({ x }, i) => [String(i), x]));
      const { comparisons } = compareArms([set], {
        ...{ baseline: "b", withPower: false },
        ...(isAdjusted && { covariate: { name: "difficulty", values } }),
      });
      return comparisons[0]!.verdict === "better" || comparisons[0]!.verdict === "worse" ? 1 : 0;
    };
    for (let i = 0; i < runs; i++) {
      const tasks = draw(200);
      for (const k of [0, 1]) {
        found.level[k]! += compared(tasks, 0, k === 1);
        found.power[k]! += compared(tasks, 0.6, k === 1);
      }
    }
    expectAtMost(found.level[1]! / runs, 0.05, { runs });
    expect(found.power[1]! - found.power[0]!).toBeGreaterThan(0.1 * runs);
  });
});
