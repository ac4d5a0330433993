import { describe, expect, test } from "vitest";
import type { Covariate } from "../../../src/analysis/compare/adjust-for.ts";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import type { CompareOptions } from "../../../src/analysis/compare/comparison.ts";
import { readPilot } from "../../../src/analysis/power/pilot.ts";
import { planForEffect } from "../../../src/analysis/power/plan-size.ts";
import { readCovariate } from "../../../src/read/compare/read-covariate.ts";
import { answer } from "../../stats/answer.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";
import { TempFolder } from "../../support/temp-folder.ts";
import { measuredArms, normals } from "../measured.ts";

const N = 12;
const difficulty = normals(60, { purpose: "difficulty" });
const noise = (purpose: string) => normals(N, { sd: 0.3, purpose });
const control = noise("control").map((e, i) => difficulty[i]! + e);
const candidate = noise("candidate").map((e, i) => 2 * difficulty[i]! + 0.5 + e);
const known = (count: number): Covariate => ({
  name: "difficulty",
  values: new Map(difficulty.slice(0, count).map((x, i) => [String(i + 1), x])),
});
const compared = (options: CompareOptions) =>
  compareArms(
    [
      anArmSet([anArm("control", control), anArm("candidate", candidate)], {
        goal: "maximize",
        hasRollouts: true,
      }),
    ],
    {
      baseline: "control",
      ...options,
    },
  ).comparisons[0]!;

describe("a covariate that was known before the run", () => {
  test("moves the difference to the units that it is known for, and says what it saved", () => {
    const one = compared({ covariate: known(60) });
    const mean = (xs: readonly number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;
    const [d, x] = [candidate.map((y, i) => y - control[i]!), difficulty.slice(0, N)];
    const [md, mx] = [mean(d), mean(x)];
    const slope =
      x.reduce((sum, at, i) => sum + (at - mx) * (d[i]! - md), 0) /
      x.reduce((sum, at) => sum + (at - mx) ** 2, 0);
    expect(answer(one.difference).value).toBeCloseTo(md - slope * (mx - mean(difficulty)), 12);
    const plain = compared({});
    const width = (c: typeof one) => answer(c.difference).high - answer(c.difference).low;
    expect(width(one)).toBeLessThan(width(plain));
    expect(one.covariate!.saved).toBeGreaterThan(0.2);
    expect(one.method!.name).toBe("t, adjusted for difficulty");
    expect(one.method!.why).toMatch(/known of 60 seeds before the run; it took away \d+ % of the variance/);
    expect(one.power!.neededN!).toBeLessThan(plain.power!.neededN!);
  });

  test("saves nothing where every unit that it is known for was run in both arms, and says so", () => {
    const one = compared({ covariate: known(N) });
    expect(one.difference).toEqual(compared({}).difference);
    expect(one.covariate).toEqual({ name: "difficulty", saved: 0 });
    expect(one.method!.why).toContain("saves nothing");
  });

  test("helps groups that are not paired, by what it explains in each", () => {
    const [one, plain] = [compared({ unpaired: true, covariate: known(N) }), compared({ unpaired: true })];
    expect(one.pairing.isPaired).toBe(false);
    expect(one.covariate!.saved).toBeGreaterThan(0.3);
    expect(one.p!).toBeLessThan(plain.p!);
  });

  test("may be the baseline's own score, also on what the candidate has not run", () => {
    const more = [...control, ...difficulty.slice(N).map((x, i) => x + Math.sin(i) / 5)];
    const set = anArmSet([anArm("control", more), anArm("candidate", candidate)], { goal: "maximize" });
    const ask = {
      baseline: "control",
      covariate: { name: "the baseline's score", values: "baseline" as const },
    };
    const [one] = compareArms([set], ask).comparisons;
    const [plain] = compareArms([set], { baseline: "control" }).comparisons;
    expect(one!.pairing.n).toBe(N);
    expect(one!.covariate!.saved).toBeGreaterThan(0.1);
    expect(answer(one!.difference).high - answer(one!.difference).low).toBeLessThan(
      answer(plain!.difference).high - answer(plain!.difference).low,
    );
  });

  test("is refused where it lacks a unit, or another method is asked for", () => {
    expect(() => compared({ covariate: known(N - 2) })).toThrow(
      /a number for every seed, got none for 2 of 12: 11, 12/,
    );
    expect(() => compared({ covariate: known(60), method: "wilcoxon" })).toThrow(/--method wilcoxon/);
  });

  test("makes a plan smaller, as far as the units it is known for reach", () => {
    const measured = measuredArms({ control, candidate });
    const values = new Map(difficulty.map((x, i) => [`seed ${i}`, x]));
    const pilot = answer(readPilot(measured, ["control", "candidate"], { name: "difficulty", values }));
    const options = { power: 0.8, alpha: 0.05, side: "two-sided" as const, jobs: 1 };
    const { plans } = answer(planForEffect(pilot, 0.5, options));
    const units = Object.fromEntries(plans.map((plan) => [plan.design, plan.units]));
    expect(units["paired by seed, adjusted for difficulty"]!).toBeLessThan(units["paired by seed"]!);
    expect(units["not paired, adjusted for difficulty"]!).toBeLessThan(units["not paired"]!);
    const tiny = answer(planForEffect(pilot, 0.02, options)).plans;
    const [paired, adjusted] = ["paired by seed", "paired by seed, adjusted for difficulty"].map(
      (name) => tiny.find(({ design }) => design === name)!.units,
    );
    expect(adjusted! / paired!).toBeGreaterThan(0.9);
  });
});

describe("reading a covariate", () => {
  test("from a file with a column of tasks, by name or as the only other column", () => {
    using dir = new TempFolder({
      "one.csv": "task,solved_before\nt1,0.5\nt2,0.25\n",
      "two.csv": "instance_id,age,difficulty\nt1,3,1\nt2,4,2\n",
    });
    expect(readCovariate(`${dir.path}/one.csv`)).toEqual({
      name: "solved_before",
      values: new Map([
        ["t1", 0.5],
        ["t2", 0.25],
      ]),
    });
    const two = readCovariate(`${dir.path}/two.csv:difficulty`);
    expect(two).toMatchObject({ name: "difficulty", values: new Map(Object.entries({ t1: 1, t2: 2 })) });
    expect(() => readCovariate(`${dir.path}/two.csv`)).toThrow(/expected a column of .*age; difficulty/);
  });

  test("a column that differs between arms was not known before, and is refused", () => {
    using dir = new TempFolder({ "runs.csv": "arm,task,score,turns\na,t1,1,10\nb,t1,0,12\n" });
    expect(() => readCovariate("turns", { tables: [`${dir.path}/runs.csv`] })).toThrow(
      /one number for each task: what was known before the run is the same for all arms, got 10 and 12 for t1/,
    );
    expect(() => readCovariate("turns")).toThrow(/baseline, or a CSV file/);
  });
});
