import { describe, expect, test } from "vitest";
import type { Run } from "../../src/core/run.ts";
import type { Study } from "../../src/core/study.ts";
import { containsRun } from "../../src/plan/cells.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy } from "../support/a-study.ts";

const study = aStudy({
  params: { fixed: { deep: [1, 2] } },
  axes: [
    { names: ["policy"], rows: [["fifo"], ["full"]] },
    { names: ["hedge"], rows: [[1], [2]], when: "policy == 'full'" },
    {
      names: ["x", "y"],
      rows: [
        [1, 10],
        [2, null],
      ],
    },
  ],
  variants: [
    { name: "baseline", params: {}, flags: [] },
    { name: "no_retry", params: { fixed: { deep: [] } }, flags: ["--no-retry"] },
  ],
  where: "variant == 'baseline' || seed != 3",
  seeds: [1, 3],
  repeats: { warmup: 0, measured: 2 },
});
const runs = [...new Plan(study, "p").runs()];
const contains = containsRun(study);

describe("containsRun", () => {
  test("holds for every run of the plan, also after a way through JSON", () => {
    expect(runs).toHaveLength(36);
    expect(runs.filter(contains)).toEqual(runs);
    const reread = containsRun(JSON.parse(JSON.stringify(study)) as Study);
    expect((JSON.parse(JSON.stringify(runs)) as Run[]).filter(reread)).toHaveLength(36);
  });

  test.each<[string, (run: Run) => Partial<Run>]>([
    ["a value that no axis has", ({ params }) => ({ params: { ...params, policy: "lifo" } })],
    ["values that do not move together", ({ params }) => ({ params: { ...params, x: 3 } })],
    ["a parameter that changed", ({ params }) => ({ params: { ...params, fixed: { deep: [1, 3] } } })],
    ["a parameter more", ({ params }) => ({ params: { ...params, more: 1 } })],
    ["a parameter less", ({ params: { fixed: _, ...params } }) => ({ params })],
    ["another seed", () => ({ seed: 2 })],
    ["a repeat too many", () => ({ repeat: 2 })],
    ["another variant", () => ({ variant: "other" })],
    ["other flags", () => ({ flags: ["--other"] })],
  ])("does not hold for %s", (_, change) => {
    expect(runs.filter((run) => contains({ ...run, ...change(run) }))).toEqual([]);
  });

  test("does not hold for an inactive axis's value, nor where the condition fails", () => {
    const [fifo] = runs.filter(({ params }) => params.policy === "fifo");
    expect(contains({ ...fifo!, params: { ...fifo!.params, hedge: 1 } })).toBe(false);
    const other = runs.find(({ variant }) => variant === "no_retry")!;
    expect(contains({ ...other, seed: 3 })).toBe(false);
  });
});
