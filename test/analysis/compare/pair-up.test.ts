import { describe, expect, test } from "vitest";
import { pairUp } from "../../../src/analysis/compare/pair-up.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const set = (part = {}) => anArmSet([], part);

describe("pairing two arms", () => {
  test("pairs what has one key and says what is left over on either side", () => {
    const baseline = anArm("a", [1, 2, 3]);
    const candidate = anArm("b", [4, 5]);
    candidate.observations[1]!.unit = "9";
    expect(pairUp(baseline, candidate, set())).toEqual({
      possible: true,
      pairs: [{ key: "1", cluster: "1", block: "", baseline: [1], candidate: [4] }],
      left: { baseline: ["2", "3"], candidate: ["9"] },
    });
  });

  test("a unit whose value is missing has no partner", () => {
    const answer = pairUp(anArm("a", [1, 2]), anArm("b", [4, null]), set());
    expect(answer).toMatchObject({ possible: true, pairs: [{ key: "1" }], left: { baseline: ["2"] } });
  });

  test("rollouts of one unit stay together", () => {
    const rollouts = anArm("a", [1, 2, 3]);
    for (const one of rollouts.observations) one.unit = "task";
    const answer = pairUp(rollouts, rollouts, set({ hasRollouts: true }));
    expect(answer).toMatchObject({ pairs: [{ baseline: [1, 2, 3], candidate: [1, 2, 3] }] });
  });

  test.each([
    ["one key twice", ["1", "1"], ["1", "2"], /a has 2 observations with seed 1; they differ in workflows/],
    ["no key in common", ["1", "2"], ["3", "4"], /no seed in common \(1; 2 \.\.\. against 3; 4/],
    ["an observation without a key", ["1", null], ["1", "2"], /some observations have no seed/],
  ])("refuses %s", (_, first, second, why) => {
    const arm = (name: string, units: (string | null)[]) => ({
      name,
      observations: units.map((unit, i) => ({ id: i, value: i, unit })),
    });
    const answer = pairUp(arm("a", first), arm("b", second), set({ unnamed: ["workflows"] }));
    expect(answer).toEqual({ possible: false, why: expect.stringMatching(why) });
  });
});
