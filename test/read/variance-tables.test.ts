import { describe, expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { powerStudy } from "../../src/api/power-study.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { varianceStudy } from "../../src/api/variance-study.ts";
import { outsideFiles } from "../support/outside-files.ts";
import { TempFolder } from "../support/temp-folder.ts";

/** Three tries at each of six tasks: the first half of the tasks is easy. */
const passes = (arm: string, task: number, k: number) => (task < (arm === "a" ? 3 : 4) ? k < 2 : k < 1);
const rows = ["a", "b"].flatMap((arm) =>
  [0, 1, 2, 3, 4, 5].flatMap((task) =>
    [0, 1, 2].map((k) => `${arm},task-${task},${passes(arm, task, k) ? 1 : 0}`),
  ),
);
const folder = () =>
  new TempFolder({
    "runs.csv": ["model,task,passed", ...rows].join("\n"),
    "counts.csv": [
      "model,task,samples,correct",
      ...["a", "b"].flatMap((arm) =>
        [0, 1, 2, 3, 4, 5].map(
          (task) => `${arm},task-${task},3,${[0, 1, 2].filter((k) => passes(arm, task, k)).length}`,
        ),
      ),
    ].join("\n"),
  });

describe("tables", () => {
  test("rows of samples and counts of them have the same noise, of each arm and of the difference", async () => {
    using dir = folder();
    const single = await varianceStudy([`${dir.path}/runs.csv`], { goal: "maximize" });
    const counted = await varianceStudy([`${dir.path}/counts.csv`], {
      ...{ metric: "correct", samples: "samples", goal: "maximize" },
    });
    expect(single.noise.map(({ arms, tasks, samples }) => [arms, tasks, samples])).toEqual([
      [["a"], 6, [3, 3]],
      [["b"], 6, [3, 3]],
      [["a", "b"], 6, [3, 3]],
    ]);
    // Of three tries one or two pass: their variance is 1/3 in every task.
    expect(single.noise[0]!.split).toMatchObject({ known: true });
    for (const [i, row] of single.noise.entries()) {
      const other = counted.noise[i]!.split;
      if (!row.split.known || !other.known) throw new Error("unknown");
      expect(row.split.predictionVariance).toBeCloseTo(i === 2 ? 2 / 3 : 1 / 3, 12);
      expect(other.predictionVariance).toBeCloseTo(row.split.predictionVariance, 12);
      expect(other.dataVariance).toBeCloseTo(row.split.dataVariance, 12);
    }
  });

  test("compare, rank and power see the same arms in a file", async () => {
    using dir = folder();
    const path = `${dir.path}/runs.csv`;
    const { comparisons } = await compareStudies([path], { goal: "maximize" });
    const { arms } = await rankStudy([path], { goal: "maximize" });
    expect(arms.map(({ name, mean }) => [name, mean])).toEqual([
      [comparisons[0]!.candidate.name, comparisons[0]!.candidate.mean],
      [comparisons[0]!.baseline.name, comparisons[0]!.baseline.mean],
    ]);
    const { pilot } = await powerStudy([path], { goal: "maximize", baseline: "a" });
    expect(pilot).toMatchObject({ unit: "task", units: 6, components: { known: true } });
  });

  test("more passes than samples are refused with their place", async () => {
    using dir = new TempFolder({ "x.csv": "model,task,samples,correct\na,t1,3,2\nb,t1,3,4\n" });
    await expect(
      varianceStudy([`${dir.path}/x.csv`], { metric: "correct", samples: "samples" }),
    ).rejects.toThrow(/row 2, column "samples": expected at least the 4 that passed, got "3"/);
  });
});

const outcomes = outsideFiles("outcomes");
test.skipIf(!outcomes.isHere)(
  `a public table of 1.6 million samples is split by one command${outcomes.note}`,
  async () => {
    const { noise } = await varianceStudy([outcomes.path("aime2024-many-samples.csv")], {
      ...{ metric: "correct", samples: "samples", task: "question", by: ["model"], goal: "maximize" },
      where: "model in ['google_gemma_3_12b_it', 'google_gemma_3_27b_it']",
    });
    expect(noise.map(({ arms, tasks }) => [...arms, tasks])).toEqual([
      ["google_gemma_3_12b_it", 30],
      ["google_gemma_3_27b_it", 30],
      ["google_gemma_3_12b_it", "google_gemma_3_27b_it", 30],
    ]);
    const { split } = noise[2]!;
    if (!split.known) throw new Error(split.why);
    const { data, prediction, both } = split.oneSampleEach;
    expect(both).toBeCloseTo(Math.hypot(data, prediction), 12);
    expect(prediction).toBeGreaterThan(data);
  },
);
