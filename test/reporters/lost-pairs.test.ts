import { expect, test } from "vitest";
import { compareArms } from "../../src/analysis/compare/compare-arms.ts";
import { metricFacts } from "../../src/design/metric.ts";
import { pairsOf } from "../../src/reporters/charts/difference-charts.ts";
import { anArm, anArmSet } from "../support/an-arm-set.ts";

test("the paired chart says which pairs it lacks", () => {
  const set = anArmSet([anArm("old", [1, 2, 3, 4, 5, 6]), anArm("new", [2, null, 4, 6, null, 7], "agent")]);
  const [one] = compareArms([set], { baseline: "old" }).comparisons;
  const notes = pairsOf(one!, { metric: metricFacts("score"), where: "" })!.notes;
  expect(notes).toContain("Not drawn because they have no partner: 2 seeds of old.");
  const whole = compareArms([anArmSet([anArm("old", [1, 2, 3]), anArm("new", [2, 4, 4])])], {
    baseline: "old",
  });
  expect(
    pairsOf(whole.comparisons[0]!, { metric: metricFacts("score"), where: "" })!.notes.join(),
  ).not.toContain("Not drawn");
});
