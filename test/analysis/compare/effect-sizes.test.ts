import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import type { CompareOptions } from "../../../src/analysis/compare/comparison.ts";
import { RandomStream } from "../../../src/core/random.ts";
import {
  benjaminiHochberg,
  hedgesG,
  interquartileMean,
  normalQuantile,
  probabilityOfSuperiority,
} from "../../../src/stats/index.ts";
import { answer } from "../../stats/answer.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";
import { normals } from "../measured.ts";

const base = normals(12, { mean: 10, sd: 1, purpose: "base" });
const like = (shift: number, purpose: string) =>
  normals(12, { sd: 0.6, purpose }).map((noise, i) => base[i]! + shift + noise);
const arms = [0.1, 0.5, 0.55, 0.6, 1.5].map((shift, i) => anArm(`b${i}`, like(shift, `b${i}`)));
const compared = (options: CompareOptions) =>
  compareArms([anArmSet([anArm("a", base), ...arms], { goal: "maximize" })], { baseline: "a", ...options });

describe("effect sizes", () => {
  test("are those of the library, on the values that were compared", () => {
    const [one] = compared({ withEffects: true }).comparisons;
    const xs = like(0.1, "b0");
    const { superiority, hedgesG: g, interquartile } = one!.effects!;
    expect(answer(superiority).value).toBe(answer(probabilityOfSuperiority(xs, base)).estimate);
    expect(answer(g).value).toBe(answer(hedgesG(xs, base, { standardiser: "differences" })).value);
    const middle = answer(interquartile);
    expect([middle.candidate, middle.baseline]).toEqual([
      answer(interquartileMean(xs)).value,
      answer(interquartileMean(base)).value,
    ]);
    const { value, low, high } = answer(middle.difference);
    expect(value).toBeCloseTo(middle.candidate - middle.baseline, 12);
    expect(low < value && value < high).toBe(true);
    expect(answer(g).low < answer(g).value && answer(g).value < answer(g).high).toBe(true);
  });

  test("are left out unless asked for, and passes and failures have no middle half", () => {
    expect(compared({}).comparisons[0]!.effects).toBeNull();
    const rates = anArmSet([anArm("a", [0, 1, 0, 1, 1, 0]), anArm("b", [1, 1, 0, 1, 1, 1])]);
    const [one] = compareArms([rates], { withEffects: true }).comparisons;
    expect(one!.effects!.interquartile).toMatchObject({ known: false });
    expect(one!.effects!.superiority).toMatchObject({ known: true });
  });
});

describe("many comparisons", () => {
  test("a screen is adjusted by Benjamini and Hochberg, and says that it is one", () => {
    const { comparisons, warnings } = compared({ adjust: "bh" });
    const ps = comparisons.map(({ p }) => p!);
    expect(comparisons.map(({ adjustedP }) => adjustedP)).toEqual(answer(benjaminiHochberg(ps)).adjusted);
    expect(warnings.map(({ text }) => text).join(" ")).toContain("screen");
  });

  test("intervals that hold at once leave 0 out exactly where the claim is sure", () => {
    const wide = compared({ adjust: "simultaneous" });
    const single = compared({ adjust: "holm" });
    for (const [i, { difference, adjustedP, p }] of wide.comparisons.entries()) {
      const range = answer(difference);
      const alone = answer(single.comparisons[i]!.difference);
      expect(adjustedP).toBe(Math.min(1, 5 * p!));
      expect(range.low > 0 || range.high < 0).toBe(adjustedP! < 0.05);
      expect(range.high - range.low).toBeGreaterThanOrEqual(alone.high - alone.low);
    }
    expect(wide.warnings.map(({ text }) => text).join(" ")).toContain("hold at once");
  });

  test.each(["holm", "bh", "simultaneous"] as const)(
    "adjusted by %s, no interval says other than its verdict, with a baseline or without",
    (adjust) => {
      let [sure, open] = [0, 0];
      for (let study = 0; study < 60; study++) {
        const draws = new RandomStream(study, "adjusted intervals");
        const isPassed = study % 3 === 0;
        const arms = [0, 0.1, 0.5, 0.7, 0.9].map((shift, k) =>
          anArm(
            `arm ${k}`,
            Array.from({ length: 12 }, (_, i) => {
              const value = shift + normalQuantile(draws.uniform(k, i));
              return isPassed ? Number(value > 0) : value;
            }),
          ),
        );
        const options = { adjust, resamples: 999, withPower: false };
        const set = anArmSet(arms, { goal: "maximize" });
        for (const baseline of [{}, { baseline: "arm 0" }])
          for (const { difference, verdict, level, adjustedP } of compareArms([set], {
            ...options,
            ...baseline,
          }).comparisons) {
            const { low, high } = answer(difference);
            const isSure = verdict === "better" || verdict === "worse";
            expect(low > 0 || high < 0, `study ${study}: ${low} to ${high}, p ${adjustedP}`).toBe(isSure);
            expect(level).toBeGreaterThanOrEqual(0.95);
            if (isSure) sure++;
            else open++;
          }
      }
      expect(sure).toBeGreaterThan(20);
      expect(open).toBeGreaterThan(20);
    },
  );
});
