import { describe, expect, test } from "vitest";
import { detectSteps, type Step } from "../../../src/analysis/history/detect-steps.ts";
import { fewestValues } from "../../../src/analysis/history/test-cut.ts";
import { RandomStream } from "../../../src/core/random.ts";
import { normalQuantile } from "../../../src/stats/distributions/normal.ts";

const SIMULATIONS = 400;
/** Three standard errors above a share of SIMULATIONS. */
const above = (share: number) => share + 3 * Math.sqrt((share * (1 - share)) / SIMULATIONS);

type Noise = (next: () => number) => number;
const normal: Noise = (next) => normalQuantile(next());
/** Rare large values, as of a machine that is busy now and then. */
const spiky: Noise = (next) => normalQuantile(next()) * (next() < 0.1 ? 8 : 1);
const skewed: Noise = (next) => -Math.log(next());

function noise(kind: Noise, seed: number, levels: readonly number[]): number[] {
  const next = new RandomStream(seed, "history-test").sequence();
  return levels.map((level) => level + kind(next));
}

const flat = (count: number, level = 0) => Array<number>(count).fill(level);
const found = (values: readonly number[]): Step[] => {
  const result = detectSteps(values, { resamples: 199 });
  if (!result.known) throw new Error(result.why);
  return result.steps;
};

describe("steps of a history", () => {
  for (const [name, kind] of Object.entries({ normal, spiky, skewed })) {
    test(`are claimed in at most one of twenty series of ${name} noise`, () => {
      let claims = 0;
      for (let seed = 1; seed <= SIMULATIONS; seed++)
        if (found(noise(kind, seed, flat(20, 100))).length > 0) claims++;
      expect(claims / SIMULATIONS).toBeLessThan(above(0.05));
    });
  }

  test("of two standard deviations are found among 30 points, where they are, with the size that they have", () => {
    let hits = 0;
    let covered = 0;
    let placed = 0;
    let off = 0;
    for (let seed = 1; seed <= SIMULATIONS; seed++) {
      const steps = found(noise(normal, seed, [...flat(15, 100), ...flat(15, 102)]));
      if (steps.length === 0) continue;
      hits++;
      const step = steps.toSorted((a, b) => Math.abs(a.at - 15) - Math.abs(b.at - 15))[0]!;
      off += Math.abs(step.at - 15);
      if (step.first <= 15 && step.last >= 15) placed++;
      if (step.difference.known && step.difference.low <= 2 && step.difference.high >= 2) covered++;
    }
    expect(hits / SIMULATIONS).toBeGreaterThan(0.95);
    expect(off / hits).toBeLessThan(1.5);
    // The interval is of a step that was chosen, so it is a little narrow; the set of places is asymptotic.
    expect(covered / hits).toBeGreaterThan(0.88);
    expect(placed / hits).toBeGreaterThan(0.88);
  });

  test("that were taken back are found at both ends", () => {
    let both = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const steps = found(noise(normal, seed, [...flat(12), ...flat(10, 3), ...flat(12)]));
      const near = (place: number) => steps.some(({ at }) => Math.abs(at - place) <= 2);
      if (near(12) && near(22)) both++;
    }
    expect(both).toBeGreaterThan(90);
  });

  test("are told as a share, with its interval, and where they could be", () => {
    const [step, ...more] = found([100, 101, 99, 100, 101, 99, 112, 113, 111, 112, 113, 111]);
    expect(more).toEqual([]);
    expect(step).toMatchObject({ at: 6, first: 6, last: 6, before: 100, after: 112 });
    expect(step!.relative).toMatchObject({ known: true, estimate: expect.closeTo(0.12, 9) });
    // Fieller's interval is close to the difference's over the mean: 12 ± 2.228 · √(2 · 0.8 / 6) = 12 ± 1.15.
    expect(step!.difference).toMatchObject({
      low: expect.closeTo(12 - 1.1506, 3),
      high: expect.closeTo(12 + 1.1506, 3),
    });
  });

  test("one odd point is no step", () => {
    expect(found([10, 11, 10, 11, 10, 60, 11, 10, 11, 10, 11, 10])).toEqual([]);
  });

  test("equal values have none, whatever their number", () => {
    expect(found(flat(30, 7))).toEqual([]);
  });

  test("are the same on every call", () => {
    const values = noise(spiky, 3, [...flat(20), ...flat(20, 2)]);
    expect(detectSteps(values)).toEqual(detectSteps(values));
  });

  test("stay unknown where even the clearest order would come too often by chance", () => {
    // Of the ways to split n values, 2 / C(n, n/2) are as clear as the clearest: 2/70 is below 4 %, 2/35 is not.
    expect(fewestValues(0.05)).toBe(8);
    expect(detectSteps([1, 1, 1, 1, 9, 9, 9])).toEqual({
      known: false,
      why: "with fewer than 8 points a step can't be told from noise, and there are 7",
    });
    expect(found([1, 1.1, 1, 1.1, 9, 9.1, 9, 9.1])).toHaveLength(1);
  });
});
