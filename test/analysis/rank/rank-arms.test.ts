import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chanceOfBest } from "../../../src/analysis/rank/chance-of-best.ts";
import { compactLetters } from "../../../src/analysis/rank/compact-letters.ts";
import { performanceProfiles } from "../../../src/analysis/rank/performance-profile.ts";
import { rankArms } from "../../../src/analysis/rank/rank-arms.ts";
import { differences, holm, signFlipTest } from "../../../src/stats/index.ts";
import { measuredArms, measuredRuns, normals } from "../measured.ts";

const options = { goal: "maximize", alpha: 0.05, resamples: 2000, seed: 1 } as const;
const base = normals(12, { mean: 10, sd: 2 });
const shifted = (by: number, purpose: string) =>
  base.map((value, i) => value + by + normals(12, { sd: 0.3, purpose })[i]!);

describe("ranking", () => {
  const measured = measuredArms({ low: base, twin: shifted(2, "twin"), high: shifted(2.02, "high") });

  test("best first, with one letter for those that can't be told apart", () => {
    const { arms } = rankArms(measured, options);
    expect(arms.at(-1)).toMatchObject({ name: "low", letters: "b" });
    expect(arms.slice(0, 2).map(({ letters }) => letters)).toEqual(["a", "a"]);
  });

  test("a rank holds where every pair with the arm is told apart; the others share a range", () => {
    const { arms } = rankArms(measured, options);
    expect(arms.map(({ ranks }) => ranks)).toEqual([
      [1, 2],
      [1, 2],
      [3, 3],
    ]);
  });

  test("less is better where the goal says so", () => {
    expect(rankArms(measured, { ...options, goal: "minimize" }).arms[0]!.name).toBe("low");
  });

  test("pairs are tested by seed and adjusted by Holm over all pairs", () => {
    const { pairs, method } = rankArms(measured, options);
    expect(method).toBe("sign-flip permutation, exact by seed, Holm-adjusted over 3 pairs");
    const ps = pairs.map(({ better, worse }) => {
      const values = (name: string) =>
        measured.runs.filter(({ arm }) => arm === name).map(({ value }) => value);
      const found = signFlipTest(differences(values(better), values(worse)));
      return found.known ? found.p : Number.NaN;
    });
    expect(pairs.map(({ p }) => p)).toEqual(ps);
    expect(holm(ps)).toMatchObject({ adjusted: pairs.map(({ adjustedP }) => adjustedP) });
  });

  test("without shared seeds the arms are compared unpaired, and that is said", () => {
    const { runs, arms } = measuredArms({ a: base, b: shifted(3, "b") });
    for (const run of runs) if (run.arm === "b") run.unit = `other ${run.unit}`;
    const { method, cautions } = rankArms(measuredRuns(runs, { arms }), options);
    expect(method).toContain("Welch");
    expect(cautions.join()).toContain("unpaired");
  });

  test("an empty arm is named with its reason, and the others are ranked", () => {
    const missing = [{ id: "c-1", arm: "c", why: "it failed (agent)" }];
    const { empty, arms } = rankArms(
      measuredArms({ a: base, b: shifted(3, "b"), c: [] }, { missing }),
      options,
    );
    expect(empty).toEqual([{ name: "c", why: "all 1 of its runs are missing: it failed (agent)" }]);
    expect(arms).toHaveLength(2);
  });

  test("equal arms and single runs are never told apart", () => {
    for (const arms of [
      { a: [1, 1, 1], b: [1, 1, 1] },
      { a: [1], b: [2] },
    ]) {
      expect(rankArms(measuredArms(arms), options).arms.map(({ letters }) => letters)).toEqual(["a", "a"]);
    }
  });
});

test("two arms share a letter exactly where they don't differ", () => {
  const relation = fc
    .integer({ min: 1, max: 7 })
    .chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.array(fc.boolean(), { minLength: count * count, maxLength: count * count }),
      ),
    );
  fc.assert(
    fc.property(relation, ([count, table]) => {
      const differ = (i: number, j: number) => i !== j && table[Math.min(i, j) * count + Math.max(i, j)]!;
      const letters = compactLetters(count, differ);
      for (let i = 0; i < count; i++)
        for (let j = i + 1; j < count; j++) {
          const shares = [...letters[i]!].some((letter) => letters[j]!.includes(letter));
          expect(shares).toBe(!differ(i, j));
        }
    }),
    { numRuns: 300, seed: 1 },
  );
});

describe("the chance of being best", () => {
  test("is shared out in full, and halved between equal arms", () => {
    const chances = chanceOfBest([base, base, shifted(-9, "low")], { goal: "maximize", isPaired: true });
    expect(chances).toEqual([0.5, 0.5, 0]);
  });

  test("is the same for the same seed", () => {
    const arms = [base, shifted(0.05, "x")];
    const once = chanceOfBest(arms, { goal: "minimize", isPaired: false, seed: 3 });
    expect(chanceOfBest(arms, { goal: "minimize", isPaired: false, seed: 3 })).toEqual(once);
    expect(once[0]! + once[1]!).toBeCloseTo(1, 10);
  });
});

test("a performance profile falls from all runs to the best ones, within its band", () => {
  const [profile] = performanceProfiles(measuredArms({ a: base }), { goal: "maximize" });
  expect(profile!.shares[0]).toBe(1);
  expect(profile!.shares.at(-1)).toBeCloseTo(1 / 12, 10);
  for (const [i, share] of profile!.shares.entries()) {
    expect(share).toBeLessThanOrEqual(profile!.shares[i - 1] ?? 1);
    expect(profile!.low[i]).toBeLessThanOrEqual(share);
    expect(profile!.high[i]).toBeGreaterThanOrEqual(share);
  }
});
