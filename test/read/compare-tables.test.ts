import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** Numbers that vary without chance. */
const wave = (i: number) => Math.sin(i * 12.9898) * 0.5;

function table(rows: readonly (readonly (string | number)[])[]) {
  const folder = new TempFolder();
  const path = `${folder.path}/table.csv`;
  writeFileSync(path, rows.map((row) => row.join(",")).join("\n"));
  return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("sums of columns", () => {
  const rows = Array.from({ length: 12 }, (_, task) => [
    ["raw", task, 5 + wave(task), 0],
    ["summary", task, 3 + wave(task + 50), task === 3 ? "" : 1],
  ]).flat();

  test("two columns are added row by row, and a row that lacks one has no sum", async () => {
    using file = table([["strategy", "task", "cost", "summary_cost"], ...rows]);
    const { comparisons } = await compareStudies([file.path], {
      metrics: ["cost+summary_cost"],
      goal: "minimize",
      baseline: "raw",
    });
    expect(comparisons[0]).toMatchObject({ metric: "cost+summary_cost", pairing: { n: 11 } });
    const sums = rows
      .filter(([arm, task]) => arm === "summary" && task !== 3)
      .map(([, , a, b]) => Number(a) + Number(b));
    expect(comparisons[0]!.candidate.mean).toBeCloseTo(sums.reduce((x, y) => x + y) / 11, 12);
  });

  test("a sum with an unknown part names the part", async () => {
    using file = table([["strategy", "task", "cost", "summary_cost"], ...rows]);
    await expect(compareStudies([file.path], { metrics: ["cost+sumary_cost"] })).rejects.toThrow(
      /sumary_cost/,
    );
  });

  test("compare and rank add up metrics of runs, with the goal that the parts share", async () => {
    const study = aStudy({ axes: [axis("strategy", "raw", "summary")], seeds: [1, 2, 3, 4, 5] });
    using dir = studyFolder(
      study,
      recordsOf(study, ({ params, seed }) => ({
        metrics: {
          cost_usd: params.strategy === "raw" ? 5 + wave(seed) : 3 + wave(seed + 9),
          summary_usd: 1,
        },
      })),
      {
        metrics: {
          cost_usd: { unit: "USD", direction: "minimize" },
          summary_usd: { unit: "USD", direction: "minimize" },
        },
      },
    );
    const metric = "cost_usd+summary_usd";
    const { comparisons } = await compareStudies([dir.path], { metrics: [metric] });
    expect(comparisons[0]!.sentence).toMatch(/^summary beats raw on cost_usd\+summary_usd/);
    const { arms } = await rankStudy([dir.path], { metric });
    expect(arms.map(({ name, mean }) => [name, mean])).toEqual([
      [comparisons[0]!.candidate.name, comparisons[0]!.candidate.mean],
      [comparisons[0]!.baseline.name, comparisons[0]!.baseline.mean],
    ]);
    await expect(compareStudies([dir.path], { metrics: ["cost_usd+sumary_usd"] })).rejects.toThrow(
      /no run has the metric "sumary_usd"/,
    );
  });
});

describe("a matrix of outcomes", () => {
  const tasks = Array.from({ length: 40 }, (_, i) => `task-${i}`);
  const agent = (name: string, solved: number) => [name, ...tasks.map((_, i) => (i < solved ? 1 : 0))];
  const rows = [["agent", ...tasks], agent("weak", 10), agent("strong", 30), agent("close", 28)];

  test("rows are agents, columns are tasks, and every agent is compared on the same tasks", async () => {
    using file = table(rows);
    const { comparisons, baseline, ranks } = await compareStudies([file.path]);
    expect(baseline).toBeNull();
    expect(ranks[0]!.arms).toEqual([
      { name: "strong", rank: 1, best: 1, worst: 2, isAboveNext: false },
      { name: "close", rank: 2, best: 1, worst: 2, isAboveNext: true },
      { name: "weak", rank: 3, best: 3, worst: 3, isAboveNext: null },
    ]);
    expect(
      comparisons.map(({ candidate, baseline: other, verdict }) => [candidate.name, other.name, verdict]),
    ).toEqual([
      ["strong", "close", "unclear"],
      ["strong", "weak", "better"],
    ]);
    expect(comparisons[0]!.pairing).toMatchObject({ isPaired: true, n: 40, noun: "task" });
  });

  test("a table of words is no matrix, and the message names the way out", async () => {
    using file = table([
      ["agent", ...tasks],
      ["weak", ...tasks.map(() => "solved")],
    ]);
    await expect(compareStudies([file.path])).rejects.toThrow(/which column is the metric.*--matrix/s);
    await expect(compareStudies([file.path], { matrix: true })).rejects.toThrow(
      /row 1, column "task-0": expected a number.*got "solved"/s,
    );
  });
});
