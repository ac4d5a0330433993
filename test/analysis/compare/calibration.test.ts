import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import { RandomStream } from "../../../src/core/random.ts";
import type { Arm, ArmSet } from "../../../src/design/arm-set.ts";
import { normalQuantile } from "../../../src/stats/index.ts";
import { pairedRateInterval } from "../../../src/stats/intervals/proportion-intervals.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const STUDIES = 600;
const ALPHA = 0.05;

describe("values that belong together do not count twice", () => {
  const most = ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / STUDIES);

  function rate(units: (i: number) => { unit: string; cluster?: string }, layout: Partial<ArmSet>): number {
    const draw = new RandomStream(5, `calibration/${layout.keys}`).sequence();
    let claims = 0;
    for (let study = 0; study < STUDIES; study++) {
      // Twelve groups of four values, and most of a value is its group's in its arm.
      const arm = (name: string): Arm => {
        const groups = Array.from({ length: 12 }, () => normalQuantile(draw()));
        const observations = Array.from({ length: 48 }, (_, i) => ({
          id: i,
          value: groups[i % 12]! + 0.5 * normalQuantile(draw()),
          ...units(i),
        }));
        return { name, observations };
      };
      const [found] = compareArms([anArmSet([arm("a"), arm("b")], layout)], {
        withPower: false,
        resamples: 999,
      }).comparisons;
      if (found!.adjustedP! <= ALPHA) claims++;
    }
    return claims / STUDIES;
  }

  test("four rollouts a task", () => {
    const unit = (i: number) => ({ unit: `t${i % 12}` });
    expect(rate(unit, { keys: ["task"], hasRollouts: true })).toBeLessThanOrEqual(most);
  });

  test("four workloads a seed", () => {
    const unit = (i: number) => ({ unit: `${i}`, cluster: `${i % 12}` });
    expect(rate(unit, { keys: ["seed", "size"], clusterBy: "seed" })).toBeLessThanOrEqual(most);
  });
});

test("Holm keeps the chance of any false claim among six comparisons", () => {
  const draw = new RandomStream(7, "calibration/family").sequence();
  let claims = 0;
  for (let study = 0; study < 300; study++) {
    const arm = (name: string) =>
      anArm(
        name,
        Array.from({ length: 12 }, () => normalQuantile(draw())),
      );
    const sets = ["x", "y"].map((metric) => anArmSet(["a", "b", "c", "d"].map(arm), { metric }));
    if (
      compareArms(sets, { withPower: false, resamples: 999 }).comparisons.some(
        ({ adjustedP }) => adjustedP! <= ALPHA,
      )
    )
      claims++;
  }
  expect(claims / 300).toBeLessThanOrEqual(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / 300));
});

describe("the interval of paired rates covers", () => {
  test.each([
    [20, 0.5, 0.5],
    [20, 0.9, 0.7],
    [50, 0.3, 0.3],
    [50, 0.95, 0.6],
    [200, 0.35, 0.33],
  ])("n = %d, rates %d and %d", (n, first, second) => {
    const draw = new RandomStream(n, "calibration/paired-rates").sequence();
    let covered = 0;
    for (let study = 0; study < 1000; study++) {
      const outcomes = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
      for (let i = 0; i < n; i++) {
        const shared = draw();
        const own = () => (draw() < 0.5 ? shared : draw());
        const [a, b] = [own() < first, own() < second];
        outcomes[a ? (b ? "both" : "onlyFirst") : b ? "onlySecond" : "neither"]++;
      }
      const interval = pairedRateInterval(outcomes);
      if (interval.known && interval.low <= first - second && first - second <= interval.high) covered++;
    }
    expect(covered / 1000).toBeGreaterThan(0.93);
  });

  test("at rates of 0 and 1 it has a width and stays within −1 and 1", () => {
    const interval = pairedRateInterval({ both: 0, onlyFirst: 10, onlySecond: 0, neither: 0 });
    expect(interval).toMatchObject({ known: true, estimate: 1, high: 1 });
    expect(interval.known && interval.low).toBeLessThan(0.8);
  });
});
