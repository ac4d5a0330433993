import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import type { CompareOptions, Gate } from "../../../src/analysis/compare/comparison.ts";
import { gateOf } from "../../../src/analysis/compare/gate.ts";
import type { ArmSet, Observation } from "../../../src/design/arm-set.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const FIVE_PERCENT = { value: 0.05, isShare: true };
const old = [100, 104, 98, 110, 102, 97, 105, 101, 99, 108, 103, 100];
const same = old.map((x, i) => x + [0.3, -0.2, 0.1, -0.4][i % 4]!);

function tripped(set: ArmSet, on: Gate[], options: CompareOptions = {}): Record<string, string> {
  const asked = { baseline: "old", ...options };
  const { trips } = gateOf(compareArms([set], asked), { on, ...asked });
  return Object.fromEntries(trips.map(({ on: gate, why }) => [gate, why]));
}

function versus(
  values: readonly (number | null)[],
  part: Partial<ArmSet> & { owner?: Observation["owner"] } = {},
) {
  const { owner, ...rest } = part;
  return anArmSet([anArm("old", old.slice(0, values.length)), anArm("new", values, owner)], {
    goal: "minimize",
    ...rest,
  });
}

describe("a gate", () => {
  const all: Gate[] = ["regression", "missing", "failures", "unknown", "not-noninferior"];

  test("lets a candidate pass that is as good as the baseline", () => {
    expect(tripped(versus(same), all, { margin: FIVE_PERCENT })).toEqual({});
  });

  test("trips on a regression that is surely beyond the margin", () => {
    const worse = same.map((x) => x * 1.2);
    expect(tripped(versus(worse), ["regression"], { margin: FIVE_PERCENT })).toEqual({
      regression: expect.stringContaining("new is worse than old on score by 19.9"),
    });
  });

  test("does not call it a regression where the loss may be within the margin, and says so", () => {
    const wobbly = same.map((x, i) => x * (1.07 + (i % 2 === 0 ? 0.06 : -0.06)));
    const set = versus(wobbly);
    expect(tripped(set, ["regression"], { margin: FIVE_PERCENT })).toEqual({});
    const [one] = compareArms([set], { baseline: "old", margin: FIVE_PERCENT }).comparisons;
    expect(one!.sentence).toContain("which may be within the margin of 5 %");
    expect(tripped(set, ["not-noninferior"], { margin: FIVE_PERCENT })).toEqual({
      "not-noninferior": expect.stringContaining("does not exclude a loss of 5 %"),
    });
  });

  test("that has nothing to judge fails whatever it was asked, unless told otherwise", () => {
    const broken = versus(
      old.map(() => null),
      { owner: "agent" },
    );
    expect(tripped(broken, ["regression"])).toEqual({
      "not judged": expect.stringContaining("none of the 12 runs of new has a value"),
    });
    const compared = compareArms([broken], { baseline: "old" });
    expect(gateOf(compared, { on: ["regression"], allowUnjudged: true }).trips).toEqual([]);
    expect(Object.keys(tripped(broken, ["missing", "failures"])).sort()).toEqual([
      "failures",
      "missing",
      "not judged",
    ]);
  });

  test("trips on missing runs that could turn the result", () => {
    const crashed = same.map((x, i) => (i % 4 === 0 ? null : x));
    expect(tripped(versus(crashed, { owner: "infrastructure" }), ["missing"])).toEqual({
      missing: expect.stringContaining("3 of 12 runs of new have no value"),
    });
    // Were they as bad as the worst seen, the candidate would still win.
    const fast = crashed.map((x) => (x === null ? null : x / 3));
    const part = { owner: "infrastructure" as const, range: [0, 120] as const };
    expect(tripped(versus(fast, part), ["missing"])).toEqual({});
  });

  test("trips on crashes of a candidate whose other runs are fine: a time has no worst value", () => {
    const crashed = same.map((x, i) => (i % 4 === 0 ? null : x));
    const part = { owner: "agent" as const, range: [0, Number.POSITIVE_INFINITY] as const };
    expect(tripped(versus(crashed, part), ["missing"], { margin: FIVE_PERCENT })).toEqual({
      missing: "3 of 12 runs of new have no value, and score has no worst value that could stand for them.",
    });
  });

  test("trips on failures where the candidate fails more often than chance explains", () => {
    const crashed = same.map((x, i) => (i < 8 ? null : x));
    expect(tripped(versus(crashed, { owner: "agent" }), ["failures"])).toEqual({
      failures: expect.stringMatching(/^new fails more often than old: 8 of 12 runs against 0 of 12/),
    });
    const one = same.map((x, i) => (i < 1 ? null : x));
    expect(tripped(versus(one, { owner: "agent" }), ["failures"])).toEqual({});
  });

  test("trips on data that are too few to see the margin, or to be sure of anything", () => {
    const noisy = old.map((x, i) => x + [40, -45, 30, -25][i % 4]!);
    expect(tripped(versus(noisy), ["unknown"], { margin: FIVE_PERCENT })).toEqual({
      unknown: expect.stringMatching(/too little data.*5 %/),
    });
    expect(tripped(versus(same.slice(0, 4)), ["unknown"])).toEqual({
      unknown: expect.stringContaining("4 seeds"),
    });
    expect(tripped(versus(same), ["unknown"])).toEqual({});
  });

  test("takes a wide interval for an answer where all of it is on one side of the margin", () => {
    const wide = [14, -15, 10, -9];
    for (const shift of [-60, 60]) {
      const far = old.map((x, i) => x + shift + wide[i % 4]!);
      expect(tripped(versus(far), ["unknown"], { margin: FIVE_PERCENT })).toEqual({});
    }
  });

  test("asks for a margin where it can't do without, and for a direction", () => {
    expect(() => tripped(versus(same), ["not-noninferior"])).toThrow("--margin");
    expect(() => tripped(versus(same, { goal: undefined as never }), ["regression"])).toThrow("--goal");
  });
});

describe("failures", () => {
  const arms = () => [
    anArm("old", old),
    anArm("new", same),
    anArm(
      "broken",
      old.map((_, i) => (i < 10 ? null : 200)),
      "agent",
    ),
    anArm(
      "empty",
      old.map(() => null),
      "infrastructure",
    ),
  ];

  test("are told of every arm, by owner, also of one without any value", () => {
    const { failures } = compareArms([anArmSet(arms(), { goal: "minimize" })], { baseline: "old" });
    expect(failures.map(({ candidate, owner, verdict }) => [candidate.name, owner, verdict])).toEqual([
      ["broken", "agent", "more"],
      ["empty", "infrastructure", "more"],
    ]);
  });

  test("are told beside the best arm where there is no baseline", () => {
    const { failures } = compareArms([anArmSet(arms(), { goal: "minimize" })]);
    expect(failures.map(({ baseline, verdict }) => [baseline.name, verdict])).toEqual([
      ["broken", "fewer"],
      ["empty", "fewer"],
    ]);
  });

  test("of several owners are told together and apart", () => {
    const mixed = old.map((_, i) => ({
      ...{ id: `mixed-${i}`, unit: String(i + 1), value: i < 8 ? null : 100 },
      owner: i < 8 ? (["agent", "grader"] as const)[i % 2]! : undefined,
    }));
    const set = anArmSet([anArm("old", old), { name: "mixed", observations: mixed }], { goal: "minimize" });
    const { failures } = compareArms([set], { baseline: "old" });
    expect(failures.map(({ owner, candidate, verdict }) => [owner, candidate.failed, verdict])).toEqual([
      [null, 8, "more"],
      ["agent", 4, "unclear"],
      ["grader", 4, "unclear"],
    ]);
  });

  test("of rollouts are counted by task", () => {
    const rollouts = (name: string, isFailing: boolean) => ({
      name,
      observations: Array.from({ length: 24 }, (_, i) => ({
        ...{ id: `${name}-${i}`, unit: `task ${i % 8}` },
        ...(isFailing && i % 8 === 0 ? { value: null, owner: "agent" as const } : { value: i % 3 }),
      })),
    });
    const set = anArmSet([rollouts("old", false), rollouts("new", true)], {
      goal: "maximize",
      hasRollouts: true,
    });
    // Three failures, but of one task: not what three tasks would show.
    expect(compareArms([set], { baseline: "old" }).failures[0]).toMatchObject({
      candidate: { failed: 3, runs: 24 },
      verdict: "unclear",
    });
  });
});
