import { expect, test } from "vitest";
import { taskGrid } from "../../../src/analysis/solving/task-grid.ts";
import type { RunRecord } from "../../../src/core/run.ts";
import { designOf } from "../../../src/design/design.ts";
import { metricFacts } from "../../../src/design/metric.ts";
import { observe, scalarReader } from "../../../src/design/observe.ts";

const record = (agent: string, task: string, seed: number, rest: Partial<RunRecord>): RunRecord => ({
  ...{
    id: `${agent}-${task}-${seed}`,
    params: { agent },
    variant: "baseline",
    flags: [],
    seed,
    task,
    repeat: 0,
  },
  ...{ program: "p", attempt: 1, outcome: { status: "ok" }, metrics: {}, startedAtMs: 0, wallMs: 1 },
  ...rest,
});
const gridOf = (records: RunRecord[], metric: string) => {
  const design = designOf([{ label: "s", dir: "/", study: undefined, records }]);
  const [set] = observe(design, [scalarReader(metricFacts(metric))]);
  return taskGrid(design, { set: set!, hasVerdicts: false });
};
const broken = (owner: "agent" | "infrastructure", reason: string): Partial<RunRecord> => ({
  outcome: { status: "failed", owner, reason },
});

test("counts an agent's failure as a task that was not solved, and a machine's as missing", () => {
  const grid = gridOf(
    [
      record("a", "x", 1, { metrics: { resolved: 1 }, costUsd: 1 }),
      record("a", "x", 2, broken("agent", "gave up after 17 turns")),
      record("b", "x", 1, broken("infrastructure", "no disk")),
      record("a", "y", 1, broken("agent", "gave up after 9 turns")),
      record("b", "y", 1, { metrics: { resolved: 1 } }),
    ],
    "resolved",
  )!;
  expect(grid).toMatchObject({ isRate: true, tasks: ["x", "y"], costs: [1, null] });
  expect(grid.arms).toMatchObject([
    { name: "a", levels: { agent: "a" }, solved: [1, 0], judged: [2, 1], missing: [0, 0], means: [0.5, 0] },
    { name: "b", solved: [0, 1], judged: [0, 1], missing: [1, 0], means: [null, 1] },
  ]);
  expect(grid.means).toEqual([0.5, 0.5]);
  expect(grid.gaps).toEqual([null, 1]);
});

test("puts endings together that differ in their numbers only", () => {
  const records = [17, 9].map((turns, i) =>
    record("a", `t${i}`, 1, broken("agent", `gave up after ${turns} turns`)),
  );
  const grid = gridOf([...records, record("b", "t0", 1, { metrics: { resolved: 1 } })], "resolved")!;
  expect(grid.endings).toEqual([
    { what: "gave up after 17 turns", owner: "agent", count: 2, byArm: [2, 0], ids: ["a-t0-1", "a-t1-1"] },
  ]);
});

test("is none where runs have no tasks", () => {
  expect(gridOf([record("a", "x", 1, { metrics: { ms: 3 } })], "ms")).toBeUndefined();
});
