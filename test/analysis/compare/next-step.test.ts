import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import { type Launchable, nextStep } from "../../../src/analysis/compare/next-step.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";
import { normals } from "../measured.ts";

const study: Launchable = {
  ...{ command: "assay run study.yaml", unit: "seed", seeds: [1, 2, 3, 4, 5, 6] },
  ...{ runsPerUnit: 2, msPerRun: 500, pending: 0 },
};
const base = normals(6, { mean: 10, purpose: "base" });
const shifted = (by: number) =>
  normals(6, { sd: 0.5, purpose: "other" }).map((noise, i) => base[i]! + by + noise);
const compared = (by: number) =>
  compareArms([anArmSet([anArm("a", base), anArm("b", shifted(by))], { goal: "maximize" })], {
    baseline: "a",
  });

describe("what to do after a comparison", () => {
  test("more seeds, with the command and the time that they take", () => {
    const findings = compared(0.1);
    const needed = findings.comparisons[0]!.power!.neededN!;
    expect(nextStep(findings, study)).toEqual([
      `${needed} seeds would settle it, about ${needed - 6} s: \`assay run study.yaml --seeds 1..${needed}\` (four times in five, if the true difference is the one seen).`,
    ]);
    const odd = { ...study, seeds: [3, 7, 42], command: "assay run x.yaml" };
    expect(nextStep(findings, odd)[0]).toContain(`--seeds 3,7,42,43..${42 + needed - 3}\``);
  });

  test("a study that is not finished is finished first", () => {
    expect(nextStep(compared(0.1), { ...study, pending: 4 })).toEqual([
      "Finish the study first, 4 runs are still to do, about 2.0 s: `assay run study.yaml`.",
    ]);
  });

  test("without a study nothing is promised but the number", () => {
    expect(nextStep(compared(0.1), null)[0]).toMatch(/^\d+ seeds would settle it \(four times/);
  });

  test("nothing, where the answer is known", () => {
    expect(nextStep(compared(3), study)).toEqual([
      "Nothing more to learn here: every comparison has its answer.",
    ]);
  });

  test("nothing either, where no study of this kind would tell", () => {
    const tiny = base.map((value, i) => value + (i % 2 === 0 ? 1 : -1) + 0.001);
    const set = anArmSet([anArm("a", base), anArm("b", tiny)], { goal: "maximize" });
    expect(nextStep(compareArms([set], { baseline: "a" }), study)[0]).toMatch(
      /^Nothing more to learn here: telling these arms apart would take .* seeds\. Say which difference matters with --margin/,
    );
  });

  test("one seed asks for more, and missing values come first", () => {
    const one = anArmSet([anArm("a", [1]), anArm("b", [2])], { goal: "maximize" });
    expect(nextStep(compareArms([one], { baseline: "a" }), { ...study, seeds: [1] })).toEqual([
      "One seed shows no spread: five or more give an answer: `assay run study.yaml --seeds 1..5`.",
    ]);
    const steep = [0, 10, 20, 30, 40, 50];
    const rising = steep.map((value, i) => (i < 4 ? value + 3 + i / 10 : null));
    const gone = anArmSet([anArm("a", steep), anArm("b", rising, "infrastructure")], { goal: "maximize" });
    const found = compareArms([gone], { baseline: "a" });
    expect(found.comparisons[0]!.bounds?.turns).toBe(true);
    expect(nextStep(found, study)[0]).toBe(
      "Get the missing values first: they could turn the result. `assay run study.yaml` repeats what failed.",
    );
  });

  test("tasks with noisy samples ask for samples, and repeats for repeats", () => {
    const tasks = Array.from({ length: 12 }, (_, task) => task);
    const noise = normals(48, { sd: 2, purpose: "samples" });
    const arm = (name: string, shift: number, from: number) => ({
      name,
      observations: tasks.flatMap((task) =>
        [0, 1].map((k) => ({
          ...{ id: `${name}-${task}-${k}`, unit: String(task) },
          value: task + shift + noise[from + 2 * task + k]!,
        })),
      ),
    });
    const set = anArmSet([arm("a", 0, 0), arm("b", 0.6, 24)], {
      ...{ keys: ["task"], hasRollouts: true, goal: "maximize" },
    });
    const found = compareArms([set], { baseline: "a" });
    const [line] = nextStep(found, { ...study, unit: "task", seeds: [1, 2], runsPerUnit: 4 });
    expect(found.comparisons[0]!.verdict).toBe("unclear");
    const [, samples, shown] = /^(\d+) samples of each task .*--seeds 1\.\.(\d+)`/.exec(line!)!;
    expect(samples).toBe(shown);
    expect(Number(samples)).toBeGreaterThan(2);
    const again = nextStep(compared(0.1), { ...study, unit: "round" });
    expect(again[0]).toMatch(/: set `repeats: \d+` in the study file, then `assay run study.yaml`/);
  });
});
