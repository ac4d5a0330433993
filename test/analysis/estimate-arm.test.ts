import { expect, test } from "vitest";
import { settleFailures } from "../../src/analysis/compare/settle-failures.ts";
import { estimateArm, leftOutWords } from "../../src/analysis/estimate-arm.ts";
import { anArmSet } from "../support/an-arm-set.ts";

const estimate = (values: readonly number[], isLeastTime: boolean) => {
  const observations = values.map((value, id) => ({ id, value, unit: String(id) }));
  const set = settleFailures({ ...anArmSet([{ name: "a", observations }]), isLeastTime });
  return estimateArm(set.arms[0]!, set);
};

test("from eight starts on, a least time leaves out a third and more at either end, and says so", () => {
  // 35 % of eight are two: what is left are the middle four.
  const starts = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 4, 9];
  expect(estimate(starts, true).mean).toBeCloseTo((1.2 + 1.3 + 1.4 + 1.5) / 4, 12);
  expect(estimate(starts, false).mean).toBeCloseTo(20.5 / 8, 12);
  expect(estimate(starts.slice(1), true).mean).toBeCloseTo(19.5 / 7, 12);
  expect(leftOutWords({ name: "duration_ms_min", isLeastTime: true })).toBe(
    " A mean of duration_ms_min over 8 starts or more leaves out the 35 % at either end.",
  );
  expect(leftOutWords({ name: "score" })).toBe("");
});
