import { describe, expect, test } from "vitest";
import { compareArms } from "../../../src/analysis/compare/compare-arms.ts";
import { RandomStream } from "../../../src/core/random.ts";
import { normalQuantile } from "../../../src/stats/index.ts";
import { anArm, anArmSet } from "../../support/an-arm-set.ts";

const draw = new RandomStream(12, "centre").sequence();
const normals = (n: number) => Array.from({ length: n }, () => normalQuantile(draw()));
/** Normal over the root of a chi-square: t with two degrees of freedom. */
const heavy = (n: number, shift: number) =>
  normals(n).map((z) => shift + z / Math.sqrt(-Math.log(1 - draw())));
const centreOf = (first: number[], second: number[], part = {}, options = {}) =>
  compareArms([anArmSet([anArm("old", first), anArm("new", second)], part)], options).comparisons[0]!;

describe("trimmed means are compared", () => {
  test("where tails are heavy on both sides, and the sentence says so", () => {
    for (const part of [{}, { keys: [] }]) {
      const found = centreOf(heavy(40, 0), heavy(40, 1), part);
      expect(found).toMatchObject({ centre: "trimmed", relative: { known: false } });
      expect(found.sentence).toContain("by trimmed means, 40");
      expect(found.check).not.toBeNull();
    }
  });

  test("never where values are normal, bounded, in one lump, or long on one side only", () => {
    const ones = normals(40);
    const skewed = ones.map((z) => Math.exp(1.5 * z) - 2);
    const lumpy = heavy(40, 0).map((x, i) => (i % 3 === 0 ? 0 : x));
    const share = heavy(40, 0).map((x) => 0.5 + Math.max(-0.5, Math.min(0.5, x / 20)));
    const unpaired = { keys: [] };
    expect(centreOf(ones, normals(40), unpaired).centre).toBe("mean");
    expect(centreOf(skewed, skewed.toReversed(), unpaired).centre).toBe("mean");
    expect(centreOf(lumpy, lumpy.toReversed(), unpaired).centre).toBe("mean");
    expect(centreOf(share, share.toReversed(), { range: [0, 1], ...unpaired }).centre).toBe("mean");
  });

  test("never of fewer than twenty: a bad seed among eight is part of the answer", () => {
    const old = [0.52, 0.5, 0.51, 0.49, 0.53, 0.48, 0.1, 0.95];
    const found = centreOf(
      old,
      old.map((x, i) => x + 0.2 + 0.01 * (i % 3)),
    );
    expect(found.centre).toBe("mean");
  });

  test("a few tasks that gain much are not trimmed away", () => {
    const old = normals(60);
    const gained = old.map((x, i) => x + normalQuantile(draw()) + (i % 8 === 0 ? 40 : 0));
    expect(centreOf(old, gained)).toMatchObject({ centre: "mean", verdict: "higher" });
  });

  test("a method that is asked for decides", () => {
    const [old, other] = [heavy(40, 0), heavy(40, 1)];
    expect(centreOf(old, other, {}, { method: "t" })).toMatchObject({
      centre: "mean",
      method: { name: "paired t" },
    });
    expect(centreOf(normals(20), normals(20), {}, { method: "trimmed" }).centre).toBe("trimmed");
  });
});

describe("the interval warns where few values may hide a long tail", () => {
  const warned = (first: number[], second: number[], options = {}) =>
    centreOf(first, second, {}, options).warnings.some(({ kind }) => kind === "rough");

  test("of values that vary by more than half of their size, unless they are compared by ratios", () => {
    const [few, others] = [
      [1, 5, 6, 7, 8],
      [2, 1, 9, 12, 11],
    ];
    expect(warned(few, others, { scale: "difference" })).toBe(true);
    expect(warned(few, others, { scale: "ratio" })).toBe(false);
    expect(warned([10, 11, 12, 10, 9], [10, 12, 12, 11, 11])).toBe(false);
  });

  test("of many zeros, which are compared by flipped signs", () => {
    const zeros = [0, 3, 0, 1, 0, 9, 0, 2, 0, 4];
    const more = [1, 5, 0, 2, 2, 20, 0, 7, 3, 9];
    const found = centreOf(zeros, more);
    expect(found.method?.name).toContain("sign-flip permutation");
    expect(found.warnings.map(({ kind }) => kind)).toContain("rough");
  });
});

test("the leader is that of the scale that was asked for", () => {
  const old = [1, 1, 1, 1, 1, 1, 100, 1];
  const other = [3, 3, 3, 3, 4, 3, 3, 3];
  for (const [scale, leader] of [
    ["difference", "old"],
    ["ratio", "new"],
  ] as const) {
    const set = anArmSet([anArm("old", old), anArm("new", other)], { goal: "maximize" });
    expect(compareArms([set], { scale, method: "t" }).leaders[0]!.name).toBe(leader);
  }
});

describe("least times of starts on a machine that is now and then slow", () => {
  /** One per cent of noise, and one start in twelve on a machine that runs at two thirds of its speed or less. */
  const start = (ms: number) =>
    ms * Math.exp(0.01 * normalQuantile(draw())) * (draw() < 1 / 12 ? 1.1 + 0.9 * draw() : 1);
  const study = (change: number, isLeastTime = true) => {
    const [before, after] = [1, 1 + change].map((ms) => Array.from({ length: 10 }, () => start(ms)));
    const set = anArmSet([anArm("before", before!), anArm("after", after!)], {
      ...{ metric: "cpu_ms_min", isLeastTime, goal: "minimize" },
    });
    return compareArms([set], { baseline: "before", withPower: false }).comparisons[0]!;
  };
  const verdicts = (change: number, isLeastTime?: boolean) =>
    Array.from({ length: 200 }, () => study(change, isLeastTime).verdict);
  const count = (list: string[], verdict: string) => list.filter((one) => one === verdict).length;

  test("5 % is found by the middle half of the starts, never with the wrong sign, and nothing where nothing is", () => {
    const [slower, same] = [verdicts(0.05), verdicts(0)];
    expect(count(slower, "worse")).toBeGreaterThanOrEqual(170);
    expect(count(slower, "better")).toBe(0);
    expect(count(same, "worse") + count(same, "better")).toBeLessThanOrEqual(10);
  });

  test("a mean of the same starts mostly misses it, which is why", () => {
    expect(count(verdicts(0.05, false), "worse")).toBeLessThan(120);
  });

  test("the answer says what counted, as a ratio; of few starts all count", () => {
    const found = study(0.05);
    expect(found).toMatchObject({ centre: "middle", scale: "ratio", relative: { known: true } });
    expect(found.method?.why).toContain("a slow start is the machine's");
    const few = anArmSet([anArm("before", [1, 1.01, 1.02]), anArm("after", [1.05, 1.07, 1.06])], {
      metric: "duration_ms_min",
      isLeastTime: true,
    });
    expect(compareArms([few], {}).comparisons[0]!.centre).toBe("mean");
  });
});

describe("of very many values", () => {
  test("the centre is the one of few, though not all of them are looked at", () => {
    for (const part of [{}, { keys: [] }]) {
      expect(centreOf(heavy(50_000, 0), heavy(50_000, 1), part).centre).toBe("trimmed");
      expect(centreOf(normals(50_000), normals(50_000), part).centre).not.toBe("trimmed");
    }
  });
});
