import { describe, expect, test } from "vitest";
import { pointEvaluator } from "../../src/core/evaluate-point.ts";
import type { Outcome } from "../../src/core/run.ts";
import { aRecord } from "../support/a-study.ts";

const objectives = [{ metric: "f", goal: "minimize" as const }];
const evaluate = pointEvaluator({ objectives, constraints: [] });
const run = (
  f: number | null,
  part: { seed?: number; repeat?: number; task?: string; outcome?: Outcome } = {},
) => aRecord({ metrics: { f }, ...part });

describe("what a point of a search is worth", () => {
  test("is the mean over its seeds, with its standard error", () => {
    expect(evaluate([run(1, { seed: 1 }), run(3, { seed: 2 })])).toMatchObject({
      ...{ state: "ok", values: [2], standardErrors: [1], n: 2, unit: "seed", violation: 0 },
    });
  });

  test("counts runs of one seed once: they are not independent", () => {
    const runs = [
      run(0, { seed: 1 }),
      run(2, { seed: 1, repeat: 1 }),
      run(3, { seed: 2 }),
      run(3, { seed: 2, repeat: 1 }),
    ];
    expect(evaluate(runs)).toMatchObject({ values: [2], standardErrors: [1], n: 2 });
  });

  test("is over tasks or repeats where there is one seed", () => {
    expect(evaluate([run(1, { task: "a" }), run(3, { task: "b" })])).toMatchObject({ n: 2, unit: "task" });
    expect(evaluate([run(1), run(3, { repeat: 1 })])).toMatchObject({ n: 2, unit: "repeat" });
  });

  test("has no standard error from one value", () => {
    expect(evaluate([run(1)]).standardErrors).toEqual([Number.NaN]);
  });

  test("leaves out failed runs and those without the metric; without any, the point has failed", () => {
    const outcome: Outcome = { status: "failed", owner: "agent" };
    const lacking = aRecord({ seed: 3, metrics: { g: 1 } });
    expect(evaluate([run(1), run(9, { seed: 2, outcome }), lacking])).toMatchObject({ n: 1, values: [1] });
    for (const runs of [[], [run(1, { outcome })], [run(null)], [run(Number.NaN)]])
      expect(evaluate(runs)).toMatchObject({ state: "failed", values: [] });
  });

  test("is that of a failed one where a run has diverged: the others alone would flatter it", () => {
    for (const f of [null, Number.NaN, Number.POSITIVE_INFINITY])
      expect(evaluate([run(1), run(2, { seed: 2 }), run(f, { seed: 3 })])).toMatchObject({ state: "failed" });
  });

  test("of a run that was ended early is no full result", () => {
    expect(evaluate([run(1, { outcome: { status: "stopped" } })]).state).toBe("stopped");
  });

  test("counts the constraints that the means miss, also by lacking a metric", () => {
    const limited = pointEvaluator({ objectives, constraints: ["f < 2", "cost_usd < 1", "f >= 0"] });
    expect(limited([run(1, { seed: 1 }), run(5, { seed: 2 })]).violation).toBe(2);
  });
});
