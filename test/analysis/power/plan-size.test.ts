import { describe, expect, test } from "vitest";
import { cautiousSd, type Pilot, readPilot } from "../../../src/analysis/power/pilot.ts";
import { planForBudget, planForEffect } from "../../../src/analysis/power/plan-size.ts";
import { normalQuantile, rateSampleSize, sampleSize, standardDeviation } from "../../../src/stats/index.ts";
import { answer } from "../../stats/answer.ts";
import { aMeasurement, measuredArms, measuredRuns, normals } from "../measured.ts";

const options = { power: 0.8, alpha: 0.05, side: "two-sided", jobs: 1 } as const;

function pilotOf(measured = paired()): Pilot {
  const pilot = readPilot(measured, measured.arms);
  if (!pilot.known) throw new Error(pilot.why);
  return pilot;
}

/** Arms that share most of what varies from seed to seed. */
function paired() {
  const base = normals(12, { mean: 10, sd: 2 });
  const noise = normals(12, { sd: 0.5, purpose: "noise" });
  return measuredArms({ a: base, b: base.map((value, i) => value + 0.3 + noise[i]!) });
}

function plansOf(found: ReturnType<typeof planForEffect>) {
  if (!found.known) throw new Error(found.why);
  return found.plans;
}

describe("seeds for an effect", () => {
  test("are those of a t test with the pilot's spread, paired and not", () => {
    const pilot = pilotOf();
    const [together, apart] = plansOf(planForEffect(pilot, 0.4, options));
    const size = sampleSize(0.4, 0.8, { design: "paired", sd: pilot.pairedSd! });
    expect(size).toMatchObject({ n: together!.units });
    expect(together!.design).toBe("paired by seed");
    expect(apart!.units).toBeGreaterThan(5 * together!.units);
  });

  test("come in runs, hours and dollars of the pilot's own", () => {
    const [plan] = plansOf(planForEffect(pilotOf(), 0.4, { ...options, jobs: 2 }));
    expect(plan!.runs).toBe(2 * plan!.units);
    expect(plan!.hours).toBeCloseTo(plan!.runs / 60 / 2, 10);
    expect(plan!.usd).toBeCloseTo(plan!.runs * 0.5, 10);
  });

  test("a careful plan takes the upper end of the spread", () => {
    const [plan] = plansOf(planForEffect(pilotOf(), 0.4, options));
    expect(plan!.cautious).toBeGreaterThan(plan!.units);
    expect(cautiousSd(1, 5)).toBeGreaterThan(cautiousSd(1, 50));
  });

  test("a pilot of one arm plans unpaired", () => {
    const measured = measuredArms({ a: normals(10, { mean: 5 }) });
    expect(plansOf(planForEffect(pilotOf(measured), 1, options)).map(({ design }) => design)).toEqual([
      "not paired",
    ]);
  });
});

describe("plans are for the test that compare will use", () => {
  test("of passes and failures", () => {
    const passes = (every: number) => Array.from({ length: 40 }, (_, i) => Number(i % every !== 0));
    const pilot = pilotOf(measuredArms({ a: passes(3), b: passes(5) }));
    const [together, apart] = plansOf(planForEffect(pilot, 0.2, options));
    expect(pilot.rates!.pairs).toMatchObject({ onlyFirst: 11, onlySecond: 5 });
    const differing = 16 / 40;
    expect(together!.units).toBe(answer(rateSampleSize(0.8, { effect: 0.2, differing })).n);
    expect(apart!.units).toBe(answer(rateSampleSize(0.8, { effect: 0.2, rate: pilot.rates!.rate })).n);
    const [found] = plansOf(planForBudget(pilot, { units: together!.units }, options));
    expect(found!.effect).toBeCloseTo(0.2, 1);
  });

  test("of passes and failures that differed far more in the pilot than they may: as arms that hold together as they did", () => {
    const [shared, first, second] = ["shared", "first", "second"].map((purpose) =>
      normals(4000, { purpose: `pairs, ${purpose}` }),
    );
    const passes = (own: number[], rate: number) =>
      own.map((z, i) => Number((shared![i]! + z) / Math.SQRT2 < normalQuantile(rate)));
    const pilot = pilotOf(measuredArms({ a: passes(first!, 0.2), b: passes(second!, 0.8) }));
    const [together, apart] = plansOf(planForEffect(pilot, 0.1, options));
    // What truly differs at rates of .2 and .3, by the same draws.
    const better = passes(second!, 0.3);
    const differing = passes(first!, 0.2).filter((value, i) => value !== better[i]).length / 4000;
    const right = answer(rateSampleSize(0.8, { effect: 0.1, differing })).n;
    expect(Math.abs(together!.units / right - 1)).toBeLessThan(0.1);
    expect(together!.units).toBeLessThan(apart!.units);

    const none = Array.from({ length: 20 }, (_, i) => Number(i === 0));
    const tiny = pilotOf(measuredArms({ a: none, b: none.map(() => 1) }));
    const [few] = plansOf(planForEffect(tiny, 0.1, options));
    // Rates of .05 and .15 differ in .185 of independent pairs and in .2 of others at most, not in .95 as the pilot's did.
    expect(few!.units).toBeLessThanOrEqual(answer(rateSampleSize(0.8, { effect: 0.1, differing: 0.2 })).n);
  });

  test("of passes and failures, which can't differ by more than there is room for", () => {
    const passes = (every: number) => Array.from({ length: 40 }, (_, i) => Number(i % every !== 0));
    const pilot = pilotOf(measuredArms({ a: passes(2), b: passes(3) }));
    expect(pilot).toMatchObject({ baselineMean: 0.5, largest: 0.5 });
    const tooMuch = planForEffect(pilot, 0.6, options);
    expect(tooMuch.known ? "" : tooMuch.why).toBe(
      "the mean of a is 0.5, and no arm can differ from it by more than 0.5",
    );
    for (let units = 4; units < 40; units++)
      for (const { effect } of plansOf(planForBudget(pilot, { units }, options)))
        expect(effect ?? 0).toBeLessThanOrEqual(0.5);
    const [few] = plansOf(planForBudget(pilot, { units: 4 }, options));
    expect(few).toMatchObject({ design: "paired by seed", effect: null });
  });

  test("of values that lie between bounds, which can't differ by more than these allow", () => {
    const shares = (mean: number) => normals(6, { mean, sd: 0.04, purpose: `shares ${mean}` });
    const measured = measuredArms({ a: shares(0.9), b: shares(0.8) });
    measured.set.range = [0, 1];
    const pilot = pilotOf(measured);
    expect(pilot.largest).toBeCloseTo(pilot.baselineMean, 10);
    expect(planForEffect(pilot, 0.95, options).known).toBe(false);
  });

  test("of values that multiply, by their logarithms", () => {
    const logs = normals(15, { purpose: "logs" });
    const measured = measuredArms({
      a: logs.map(Math.exp),
      b: normals(15, { purpose: "other logs" }).map(Math.exp),
    });
    const pilot = pilotOf(measured);
    expect(pilot.isRatio).toBe(true);
    const [together] = plansOf(planForEffect(pilot, 0.5 * pilot.baselineMean, options));
    const size = sampleSize(Math.log(1.5), 0.8, { design: "paired", sd: pilot.pairedSd! });
    expect(together!.units).toBe(answer(size).n);
  });
});

describe("tasks and rollouts", () => {
  const tasks = normals(20, { sd: 1, purpose: "tasks" });
  const arms = { a: 0, b: 0.5 };
  const runs = Object.entries(arms).flatMap(([arm, shift]) =>
    tasks.flatMap((task, t) =>
      normals(6, { sd: 0.8, purpose: `${arm}${t}` }).map((noise, r) => ({
        ...aMeasurement(arm, t * 6 + r, shift + task + noise),
        task: `task ${t}`,
        unit: `task ${t}`,
      })),
    ),
  );
  const measured = measuredRuns(runs, { arms: ["a", "b"], counted: "task" });

  test("tasks are counted, and rollouts save tasks at the price of runs", () => {
    const pilot = pilotOf(measured);
    expect(pilot).toMatchObject({ unit: "task", units: 20 });
    const plans = plansOf(planForEffect(pilot, 0.3, options));
    expect(plans.map(({ rollouts }) => rollouts)).toEqual([1, 2, 4, 8]);
    expect(plans[1]!.units).toBeLessThan(plans[0]!.units);
    expect(plans[3]!.runs).toBeGreaterThan(plans[0]!.runs);
  });

  test("one rollout a task can't tell the noise within from that between", () => {
    const once = measuredRuns(
      runs.filter((_, i) => i % 6 === 0),
      { arms: ["a", "b"], counted: "task" },
    );
    const { components } = pilotOf(once);
    expect(components.known ? "" : components.why).toContain("each task was run once");
  });
});

describe("the reverse", () => {
  test("what a size finds is the effect that this size is for", () => {
    const pilot = pilotOf();
    const [plan] = plansOf(planForEffect(pilot, 0.4, options));
    const [back] = plansOf(planForBudget(pilot, { units: plan!.units }, options));
    expect(back!.effect).toBeLessThanOrEqual(0.4);
    const [less] = plansOf(planForBudget(pilot, { units: plan!.units - 1 }, options));
    expect(less!.effect).toBeGreaterThan(0.4);
  });

  test("a budget is kept, whichever runs out first", () => {
    for (const budget of [{ usd: 20 }, { hours: 0.5 }, { usd: 20, hours: 0.3 }]) {
      for (const plan of plansOf(planForBudget(pilotOf(), budget, options))) {
        expect(plan.usd).toBeLessThanOrEqual(20 + 1e-9);
        expect(plan.hours).toBeLessThanOrEqual((budget.hours ?? 1) + 1e-9);
      }
    }
  });

  test("a budget too small for two seeds is explained", () => {
    const found = planForBudget(pilotOf(), { usd: 1.4 }, options);
    expect(found.known ? "" : found.why).toContain("pays for 2 runs");
  });

  test("a pilot without costs can't plan in dollars", () => {
    const measured = paired();
    for (const run of measured.runs) run.costUsd = null;
    const found = planForBudget(pilotOf(measured), { usd: 10 }, options);
    expect(found.known ? "" : found.why).toContain("have no cost");
  });
});

test("runs of one seed are averaged, so that seeds are what is counted", () => {
  const runs = [0, 1, 2].flatMap((seed) =>
    [0, 10].map((level) => ({ ...aMeasurement("a", seed, seed + level), id: `${seed}-${level}` })),
  );
  const pilot = pilotOf(measuredRuns(runs, { arms: ["a"] }));
  expect(pilot).toMatchObject({ units: 3, runsPerUnit: 2 });
  expect(standardDeviation([5, 6, 7])).toMatchObject({ value: pilot.armSd });
});

test.each([
  ["one seed", { a: [1], b: [2] }, "has 1 seed"],
  ["equal values", { a: [1, 1, 1], b: [1, 1, 1] }, "are equal"],
  ["an empty arm", { a: [1, 2], b: [] }, "b has 0 seeds"],
])("%s: an explanation, not a plan", (_, arms, why) => {
  const found = readPilot(measuredArms(arms), ["a", "b"]);
  expect(found.known ? "" : found.why).toContain(why);
});
