import { areaUnderCurve, lastMean, mean } from "assay/stats";
import { describe, expect, it } from "vitest";
import { answer } from "../../../../test/stats/answer.ts";
import { ARCHITECTURES, CURRICULA, SEEDS, trained } from "./training.ts";

describe("every agent learns on every terrain", () => {
  for (const curriculum of CURRICULA) {
    for (const architecture of ARCHITECTURES) {
      it(`${architecture} on ${curriculum}`, () => {
        for (const seed of SEEDS.slice(0, 6)) {
          const { metrics } = trained({ curriculum, architecture }, seed);
          expect(metrics.reward_final! - metrics.reward_first!, `seed ${seed}`).toBeGreaterThan(0.4);
        }
      });
    }
  }

  it("and not where all moves are random", () => {
    const { curve } = trained({ explore_start: 1, explore_end: 1 }, SEEDS[0]!);
    const rewards = curve.map(({ reward }) => reward);
    const first = answer(mean(rewards.slice(0, 120))).value;
    const second = answer(mean(rewards.slice(120))).value;
    expect(Math.abs(second - first)).toBeLessThan(0.1);
  });

  it("terrain_2 is harder than terrain_1, and terrain_3 than terrain_2", () => {
    for (const seed of SEEDS.slice(0, 3)) {
      const [easy, middle, hard] = CURRICULA.map(
        (curriculum) => trained({ curriculum }, seed).metrics.reward_final!,
      );
      expect(easy!).toBeGreaterThan(middle!);
      expect(middle!).toBeGreaterThan(hard!);
    }
  });
});

describe("the learning curve", () => {
  it("has 240 points at equal distances, all with numbers", () => {
    const { curve } = trained({}, 1);
    expect(curve.map(({ step }) => step)).toEqual(Array.from({ length: 240 }, (_, i) => 500 * (i + 1)));
    for (const point of curve) expect(Object.values(point).every(Number.isFinite)).toBe(true);
  });

  it("ends at the last step also where points do not divide the steps", () => {
    const { curve } = trained({ steps: 20_011, points: 211 }, 1);
    expect(curve).toHaveLength(211);
    expect(curve.at(-1)!.step).toBe(20_011);
  });

  it("gives the same summaries as the statistics do", () => {
    const { curve, metrics } = trained({}, 2);
    const steps = curve.map(({ step }) => step);
    const rewards = curve.map(({ reward }) => reward);
    const quarter = answer(areaUnderCurve(steps, rewards, { share: 0.25, end: "last" }));
    const whole = answer(areaUnderCurve(steps, rewards));
    const final = answer(lastMean(rewards, 5));
    expect(quarter.mean).toBeCloseTo(metrics.reward_auc_last25!, 12);
    expect(whole.mean).toBeCloseTo(metrics.reward_auc!, 12);
    expect(final.value).toBeCloseTo(metrics.reward_final!, 12);
  });

  it("knows no step at which a threshold was reached that never was", () => {
    expect(trained({ threshold: 1 }, 1).metrics.steps_to_threshold).toBeNull();
    expect(trained({ threshold: -2 }, 1).metrics.steps_to_threshold).toBe(2500);
  });
});
