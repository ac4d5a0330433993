import { expect, test } from "vitest";
import type { Pilot } from "../../../src/analysis/power/pilot.ts";
import { planDecision } from "../../../src/analysis/power/plan-decision.ts";

const PILOT: Pilot = {
  ...{ arms: ["old", "new"], unit: "task", units: 40, baselineMean: 0.5, isRatio: false, tries: 1, trim: 0 },
  largest: 0.5,
  rates: { rate: 0.5, pairs: { both: 15, neither: 15, onlyFirst: 5, onlySecond: 5 } },
  ...{ pairedSd: 0.5, armSd: 0.5, pairedDegrees: 39, armDegrees: 78 },
  components: { known: false, why: "" },
  ...{ adjusted: undefined, runsPerUnit: 1, runMs: 3_600_000, runUsd: 2 },
};

const planned = (pilot: Pilot, effects: number[], size: number) => {
  const found = planDecision(pilot, { effects, size, alpha: 0.05, jobs: 4 });
  if (!found.known) throw new Error(found.why);
  return found.plans;
};

test("a larger difference is decided sooner, and never after all tasks; nothing is decided where none is", () => {
  const [none, some, large] = planned(PILOT, [0, 0.1, 0.2], 300);
  expect(none!.decided).toBeLessThanOrEqual(0.05);
  expect(none!.mean.units).toBeGreaterThan(280);
  expect(some!.mean.units).toBeLessThan(150);
  expect(large!.mean.units).toBeLessThan(some!.mean.units / 2);
  expect(large!.decided).toBeGreaterThan(0.99);
  expect(large!.late.units).toBeGreaterThan(large!.mean.units);
  expect(large!.worst).toEqual({ units: 300, runs: 600, hours: 150, usd: 1200 });
});

test("seeds without bounds are planned by the pilot's spread of differences, one arm not at all", () => {
  const seeds: Pilot = { ...PILOT, unit: "seed", rates: null, largest: Number.POSITIVE_INFINITY };
  const [half, whole] = planned(seeds, [0.25, 0.5], 200);
  expect(whole!.mean.units).toBeLessThan(half!.mean.units);
  expect(whole!.decided).toBeGreaterThan(0.95);
  const one = planDecision({ ...PILOT, arms: ["old"] }, { effects: [0.1], size: 50, alpha: 0.05, jobs: 1 });
  expect(one).toMatchObject({ known: false });
});

test("with history, tasks of which many are easy for everybody are decided with fewer; it plans tasks alone", () => {
  // A third of the tasks everybody solves, a third nobody; on the others agents differ.
  const history = Array.from({ length: 12 }, (_, agent) =>
    Array.from({ length: 120 }, (_, task) => (task % 3 === 0 ? 1 : task % 3 === 1 ? 0 : (task + agent) % 2)),
  );
  const terms = { effects: [0, 0.1], size: 300, alpha: 0.05, jobs: 1 };
  const found = planDecision(PILOT, { ...terms, history });
  if (!found.known) throw new Error(found.why);
  const [none, some] = found.plans;
  expect(none!.decided).toBeLessThanOrEqual(0.1);
  expect(some!.mean.units).toBeLessThan(150);
  expect(some!.decided).toBeGreaterThan(0.7);
  expect(found.alike).toBe(12);
  const seeds: Pilot = { ...PILOT, unit: "seed", rates: null, largest: Number.POSITIVE_INFINITY };
  expect(planDecision(seeds, { ...terms, history })).toMatchObject({ known: false });
});

test("a difference that no arm can have from the baseline is not planned", () => {
  const found = planDecision(PILOT, { effects: [0.1, 0.6], size: 50, alpha: 0.05, jobs: 1 });
  expect(found).toMatchObject({
    known: false,
    why: "the mean of old is 0.5, and no arm can differ from it by more than 0.5",
  });
});

test("a baseline that nearly always passes is planned against a worse arm, with history as without it", () => {
  const rates = { rate: 0.9, pairs: { both: 32, neither: 0, onlyFirst: 4, onlySecond: 4 } };
  const history = Array.from({ length: 10 }, (_, agent) =>
    Array.from({ length: 60 }, (_, task) => Number((task + agent) % 10 > 0)),
  );
  const found = planDecision(
    { ...PILOT, baselineMean: 0.9, largest: 0.9, rates },
    { effects: [0, 0.5], size: 60, alpha: 0.05, jobs: 1, history },
  );
  if (!found.known) throw new Error(found.why);
  expect(found.plans[1]!.decided).toBeGreaterThan(0.95);
});
