import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chi2Tail, normalCdf, normalQuantile } from "../../src/stats/index.ts";
import { bcaLimits } from "../../src/stats/intervals/bootstrap-limits.ts";
import { addSumsNarrow, addSumsWide, sumTable } from "../../src/stats/resampling/add-sums.ts";
import { FastRandom } from "../../src/stats/resampling/fast-random.ts";
import { acceleration, biasCorrection } from "../../src/stats/resampling/jackknife.ts";
import { resampleMeans, resampleMoments } from "../../src/stats/resampling/resample.ts";
import { select } from "../../src/stats/resampling/select.ts";
import { expectClose } from "./close.ts";

/** p of the chi-square test that counts are equal but for chance. */
function evenness(counts: ArrayLike<number>): number {
  const total = Array.from(counts).reduce((sum, c) => sum + c, 0);
  const expected = total / counts.length;
  const chi2 = Array.from(counts).reduce((sum, c) => sum + (c - expected) ** 2 / expected, 0);
  return chi2Tail(chi2, counts.length - 1);
}

describe("the fast generator", () => {
  test("gives one sequence to a seed and purpose, and others to others", () => {
    const first = (seed: number, purpose: string) => new FastRandom(seed, purpose).bits();
    expect(first(1, "a")).toBe(first(1, "a"));
    expect(first(1, "a")).not.toBe(first(2, "a"));
    expect(first(1, "a")).not.toBe(first(1, "b"));
  });

  test.each([3, 7, 100, 1000])("draws each of %d numbers equally often", (n) => {
    const random = new FastRandom(5, "test");
    const counts = new Uint32Array(n);
    for (let i = 0; i < 500 * n; i++) counts[random.below(n)]!++;
    expect(evenness(counts)).toBeGreaterThan(1e-4);
  });
});

describe("resampled sums", () => {
  /** Powers of a base count how often each of a few values was drawn. */
  test.each([
    ["two indices a number", addSumsNarrow],
    ["one index a number", addSumsWide],
  ])("by %s draw every value equally often, also at odd counts", (_, addSums) => {
    const base = 64;
    const values = Float64Array.from({ length: 7 }, (_, i) => base ** i);
    const out = new Float64Array(20_000);
    addSums(values, out, { draws: 7, random: new FastRandom(9, "test") });
    const counts = new Float64Array(7);
    for (const sum of out) {
      let rest = sum;
      let drawn = 0;
      for (let i = 0; i < 7; i++) {
        counts[i]! += rest % base;
        drawn += rest % base;
        rest = Math.floor(rest / base);
      }
      expect(drawn).toBe(7);
    }
    expect(evenness(counts)).toBeGreaterThan(1e-4);
  });

  test("a table of sums holds every way to draw, once", () => {
    const { sums, drawn } = sumTable(Float64Array.of(1, 10, 100));
    expect(drawn).toBe(3);
    expect(sums).toHaveLength(27);
    expect(sums.filter((s) => s === 111)).toHaveLength(6);
    expect(sums.filter((s) => s === 300)).toHaveLength(1);
  });

  test.each([2, 15, 100, 130, 1000, 20_000])(
    "means of n = %d have the mean and variance that theory says",
    (n) => {
      const values = Float64Array.from({ length: n }, (_, i) => Math.sin(i) + (i % 3));
      const mean = values.reduce((sum, x) => sum + x, 0) / n;
      const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n;
      const resamples = n > 5000 ? 400 : 4000;
      const means = resampleMeans(values, resamples, { random: new FastRandom(2, "test") });
      const error = Math.sqrt(variance / n);
      const centre = means.reduce((sum, m) => sum + m, 0) / resamples;
      const spread = means.reduce((sum, m) => sum + (m - mean) ** 2, 0) / resamples;
      expect(Math.abs(centre - mean)).toBeLessThan((4 * error) / Math.sqrt(resamples));
      expect(Math.abs(spread / (variance / n) - 1)).toBeLessThan(6 / Math.sqrt(resamples));
    },
  );

  test("resampled variances average to the variance of the sample", () => {
    const centred = Float64Array.from({ length: 50 }, (_, i) => Math.cos(i * i));
    const mean = centred.reduce((sum, x) => sum + x, 0) / 50;
    const shifted = centred.map((x) => x - mean);
    const variance = shifted.reduce((sum, x) => sum + x * x, 0) / 50;
    const { variances } = resampleMoments(shifted, 20_000, { random: new FastRandom(3, "test") });
    expect(variances.reduce((sum, v) => sum + v, 0) / 20_000 / variance).toBeCloseTo(1, 2);
  });
});

describe("BCa", () => {
  test("resamples equal to the estimate count half, also where rounding hides that they are equal", () => {
    expect(biasCorrection(Float64Array.of(1, 2, 2, 3), 2, 3)).toBe(0);
    expectClose(biasCorrection(Float64Array.of(1, 1, 2, 3), 2, 3), normalQuantile(5 / 8), 1e-14);
    expect(biasCorrection(Float64Array.of(0.2, 0.1 + 0.2, 0.4, 0.3), 0.3, 0.4)).toBe(0);
  });

  test("moves the percentiles by Efron's formula", () => {
    const distribution = Float64Array.from({ length: 1001 }, (_, i) => i / 1000);
    const options = { level: 0.9, side: "two-sided" } as const;
    const { low, high } = bcaLimits(distribution, { z0: 0.1, acceleration: 0.05, ...options })!;
    const share = (z: number) => normalCdf(0.1 + (0.1 + z) / (1 - 0.05 * (0.1 + z)));
    expectClose(low, share(-1.6448536269514722), 1e-9);
    expectClose(high, share(1.6448536269514722), 1e-9);
  });

  test("acceleration is a sixth of the skewness of the influences, weighted by size for two samples", () => {
    const jackknifed = Float64Array.of(-3, 1, 1, 1);
    expectClose(acceleration(jackknifed), (27 - 3) / (6 * 12 ** 1.5), 1e-14);
    expectClose(acceleration(jackknifed, jackknifed), acceleration(jackknifed) / Math.SQRT2, 1e-14);
  });
});

test("selection puts the k-th smallest in its place, whatever the order and the ties", () => {
  const list = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 2000 });
  fc.assert(
    fc.property(list, fc.nat(), (raw, at) => {
      const values = Float64Array.from(raw);
      const k = at % raw.length;
      const sorted = values.slice().sort();
      const found = select(values, k);
      return (
        found === sorted[k] &&
        values.slice(0, k).every((x) => x <= found) &&
        values.slice(k).every((x) => x >= found)
      );
    }),
    { seed: 6, numRuns: 200 },
  );
});
