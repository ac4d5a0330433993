import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareStudies } from "../../../src/api/compare-studies.ts";
import { powerStudy } from "../../../src/api/power-study.ts";
import { RandomStream } from "../../../src/core/random.ts";
import { TempFolder } from "../../support/temp-folder.ts";

const STUDIES = 200;
const ROLLOUTS = 4;
/** On the logit scale: how much tasks differ, and by how much the candidate is better at each. */
const TASK_SD = 1.5;
const GAIN = 0.6;

const share = (logit: number) => 1 / (1 + Math.exp(-logit));

/** The mean over all tasks there are of what the candidate gains. */
function trueEffect(): number {
  let [sum, weight] = [0, 0];
  for (let z = -6; z <= 6; z += 0.001) {
    const density = Math.exp((-z * z) / 2);
    sum += density * (share(TASK_SD * z + GAIN) - share(TASK_SD * z));
    weight += density;
  }
  return sum / weight;
}

/** Two arms on tasks of differing difficulty, some rollouts each, passed or failed. */
function rows(tasks: number, next: () => number): string {
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const lines = ["arm,task,solved"];
  for (let task = 0; task < tasks; task++) {
    const difficulty = TASK_SD * normal();
    for (const [arm, gain] of [
      ["old", 0],
      ["new", GAIN],
    ] as const)
      for (let i = 0; i < ROLLOUTS; i++)
        lines.push(`${arm},t${task},${next() < share(difficulty + gain) ? 1 : 0}`);
  }
  return `${lines.join("\n")}\n`;
}

test("a study of the planned size finds the effect as often as planning promises, tasks x rollouts", async () => {
  using folder = new TempFolder();
  const path = `${folder.path}/rows.csv`;
  const next = new RandomStream(18, "planning").sequence();
  // A pilot so large that only the plan itself can be wrong.
  writeFileSync(path, rows(2000, next));
  const question = {
    metrics: ["solved"],
    goal: "maximize" as const,
    task: "task",
    by: ["arm"],
    baseline: "old",
    withPower: false,
  };
  const { plans } = await powerStudy([path], {
    ...{ metric: "solved", goal: "maximize", task: "task", by: ["arm"], baseline: "old" },
    effect: { value: trueEffect(), isRelative: false },
    power: 0.8,
  });
  const plan = plans.find(({ design, rollouts }) => rollouts === ROLLOUTS && design.includes("paired"))!;
  let found = 0;
  for (let i = 0; i < STUDIES; i++) {
    writeFileSync(path, rows(plan.units, next));
    const [comparison] = (await compareStudies([path], question)).comparisons;
    if (comparison!.verdict === "better") found++;
  }
  const error = 3 * Math.sqrt((0.8 * 0.2) / STUDIES);
  expect(found / STUDIES).toBeGreaterThan(0.8 - 0.05 - error);
  expect(found / STUDIES).toBeLessThan(0.8 + 0.05 + error);
}, 120_000);
