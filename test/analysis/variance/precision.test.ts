import { describe, expect, test } from "vitest";
import { legacyCv } from "../../../src/analysis/variance/legacy-cv.ts";
import { type Precision, precisionOf } from "../../../src/analysis/variance/precision.ts";
import { tInterval } from "../../../src/stats/index.ts";
import { normals } from "../measured.ts";

function answer(values: number[], threshold: number, effect?: number): Precision {
  const found = precisionOf(values, effect === undefined ? { threshold } : { threshold, effect });
  if (!found.known) throw new Error(found.why);
  return found;
}

describe("how many seeds are enough", () => {
  test("nine in ten fresh studies of that size reach the precision sought", () => {
    const pilot = answer(normals(400, { mean: 10, sd: 1.5 }), 0.05);
    let reached = 0;
    for (let study = 0; study < 1000; study++) {
      const interval = tInterval(
        normals(pilot.enough!, { mean: 10, sd: 1.5, seed: study, purpose: "fresh" }),
      );
      if (interval.known && interval.high - interval.estimate <= 0.05 * 10) reached++;
    }
    // One n more or less moves the share by about .02; the pilot's own spread is off by 3 %.
    expect(reached / 1000).toBeGreaterThan(0.82);
    expect(reached / 1000).toBeLessThan(0.97);
  });

  test("the order of the runs does not matter beyond the resampling", () => {
    const values = normals(15, { mean: 10, sd: 1 });
    const turned = [...values].reverse();
    expect(Math.abs(answer(values, 0.05).enough! - answer(turned, 0.05).enough!)).toBeLessThanOrEqual(2);
    expect(answer(values, 0.05)).toEqual(answer([...values], 0.05));
  });

  test("half the precision takes about four times the seeds", () => {
    const values = normals(30, { mean: 10, sd: 2 });
    const ratio = answer(values, 0.02).enough! / answer(values, 0.04).enough!;
    expect(ratio).toBeGreaterThan(3);
    expect(ratio).toBeLessThan(4.5);
  });

  test("half-widths fall with n, unlike the coefficient of variation", () => {
    const { points } = answer(normals(15, { mean: 10, sd: 2 }), 0.05);
    const at = (n: number) => points.find((point) => point.n === n)!.middle;
    expect(at(4)).toBeGreaterThan(at(8));
    expect(at(8)).toBeGreaterThan(at(15));
    expect(at(15)).toBeGreaterThan(at(30));
  });

  test("an effect replaces the mean as what is relative to", () => {
    const values = normals(15, { mean: 10, sd: 1 });
    expect(answer(values, 0.5, 1).reference).toBe(1);
    expect(answer(values, 0.5, 1).enough).toBeGreaterThan(answer(values, 0.5).enough!);
  });

  test("the range says that a pilot knows its spread only roughly", () => {
    const few = answer(normals(6, { mean: 10, sd: 1 }), 0.05);
    const many = answer(normals(60, { mean: 10, sd: 1 }), 0.05);
    const width = ({ enough, enoughRange }: Precision) => (enoughRange![1] - enoughRange![0]) / enough!;
    expect(width(few)).toBeGreaterThan(2 * width(many));
  });

  test("a size that is out of sight is not made up", () => {
    expect(answer(normals(10, { mean: 10, sd: 2 }), 0.0001).enough).toBeNull();
  });

  test.each([
    ["no run", [], "empty"],
    ["one run", [1], "needs at least 2"],
    ["equal runs", [2, 2, 2], "all 3 values are equal"],
    ["a NaN", [1, Number.NaN, 2], "not a number"],
    ["a mean that may be 0", [-1, 1, 0.5, -0.4], "can't be told from 0"],
  ])("%s: an explanation, not a number", (_, values, why) => {
    const found = precisionOf(values, { threshold: 0.05 });
    expect(found.known ? "" : found.why).toContain(why);
  });
});

describe("the legacy curve", () => {
  test("is the coefficient of variation of the first n, in the order given", () => {
    const found = legacyCv([10, 10.1, 14, 6], 0.05);
    expect(found).toMatchObject({ known: true, first: 2 });
    if (found.known) expect(found.points.map(({ n }) => n)).toEqual([2, 3, 4]);
  });

  test("declines a single run", () => {
    expect(legacyCv([1], 0.05)).toMatchObject({ known: false });
  });
});

test("the order in which runs ended makes no difference", () => {
  const values = [0.31, 0.72, 0.44, 0.95, 0.58, 0.12, 0.83, 0.66];
  const backwards = precisionOf(values.toReversed(), { threshold: 0.05 });
  expect(precisionOf(values, { threshold: 0.05 })).toEqual(backwards);
});
