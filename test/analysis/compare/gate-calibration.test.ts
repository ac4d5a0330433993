import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import type { CompareOptions } from "../../../src/analysis/compare/comparison.ts";
import { gateOf } from "../../../src/analysis/compare/gate.ts";
import { RandomStream } from "../../../src/core/random.ts";
import type { ArmSet } from "../../../src/design/arm-set.ts";
import { normalQuantile } from "../../../src/stats/index.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const FIVE_PERCENT = { value: 0.05, isShare: true };

describe("at a true loss of exactly the margin", () => {
  const STUDIES = 600;
  const ALPHA = 0.05;
  const limit = ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / STUDIES);

  /** How often a gate trips over studies of one design. */
  function rates(draw: (study: number) => ArmSet, options: CompareOptions) {
    let [regression, passes] = [0, 0];
    for (let study = 0; study < STUDIES; study++) {
      const compared = compareArms([draw(study)], {
        baseline: "old",
        withPower: false,
        withCheck: false,
        ...options,
      });
      const { trips } = gateOf(compared, { on: ["regression", "not-noninferior"], ...options });
      if (trips.some(({ on }) => on === "regression")) regression++;
      if (!trips.some(({ on }) => on === "not-noninferior")) passes++;
    }
    return { regression: regression / STUDIES, passes: passes / STUDIES };
  }

  const numbers = new RandomStream(1, "gate");
  const normal = (study: number, i: number, arm: number) =>
    normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, numbers.uniform(study, i, arm))));

  test.each([
    ["one arm, in the metric's unit", 1, { value: 5, isShare: false }],
    ["one arm, in percent", 1, FIVE_PERCENT],
    ["five arms, in percent", 5, FIVE_PERCENT],
  ])("%s: neither gate errs more often than alpha", (_, arms, margin) => {
    const draw = (study: number) => {
      const base = Array.from({ length: 10 }, (_, i) => 100 + 4 * normal(study, i, 0));
      const others = Array.from({ length: arms }, (_, arm) =>
        anArm(
          `new${arm}`,
          base.map((_, i) => 105 + 4 * normal(study, i, arm + 1)),
        ),
      );
      return anArmSet([anArm("old", base), ...others], { goal: "minimize" });
    };
    const { regression, passes } = rates(draw, { margin });
    expect(regression).toBeLessThan(limit);
    expect(passes).toBeLessThan(limit);
  });

  test("of passes and failures, neither errs more often than alpha", () => {
    const draw = (study: number) => {
      const base = Array.from({ length: 60 }, (_, i) => Number(numbers.uniform(study, i, 100) < 0.6));
      const other = base.map((_, i) => Number(numbers.uniform(study, i, 101) < 0.5));
      return anArmSet([anArm("old", base), anArm("new", other)], { goal: "maximize" });
    };
    const { regression, passes } = rates(draw, { margin: { value: 0.1, isShare: false } });
    expect(regression).toBeLessThan(limit);
    expect(passes).toBeLessThan(limit);
  });
});
