import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogHistogram, percentile, RollingQuantiles } from "../../src/kernel/statistics.ts";

const nearestRank = (values: number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(q * values.length) - 1)]!;

describe("the percentile", () => {
  it("interpolates as NumPy does by default", () => {
    expect(percentile([1, 2, 3, 4, 10], 95)).toBeCloseTo(8.8, 12); // numpy.percentile([1,2,3,4,10], 95)
    expect(percentile([1, 2, 3, 4], 50)).toBe(2.5);
    expect(percentile([7], 99)).toBe(7);
  });

  it("is unknown without values", () => {
    expect(percentile([], 50)).toBeNull();
  });
});

describe("rolling quantiles", () => {
  it("are those of the last samples", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 120 }), (samples) => {
        const rolling = new RollingQuantiles(20);
        samples.forEach((sample, i) => {
          rolling.add(sample);
          const recent = samples.slice(Math.max(0, i - 19), i + 1);
          for (const q of [0.01, 0.5, 0.95, 1]) expect(rolling.quantile(q, -1)).toBe(nearestRank(recent, q));
        });
      }),
    );
  });

  it("give the other value while there are no samples", () => {
    expect(new RollingQuantiles(5).quantile(0.5, 100)).toBe(100);
  });
});

describe("the histogram", () => {
  it("gives quantiles within a thousandth from above", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 1, maxLength: 100 }),
        (samples) => {
          const histogram = new LogHistogram();
          for (const sample of samples) histogram.add(sample);
          for (const q of [0.5, 0.95]) {
            const exact = nearestRank(samples, q);
            expect(histogram.quantile(q)).toBeGreaterThanOrEqual(exact);
            expect(histogram.quantile(q)).toBeLessThanOrEqual(exact * (1 + 1 / 1024));
          }
        },
      ),
    );
  });

  it("is unknown without samples", () => {
    expect(new LogHistogram().quantile(0.95)).toBeNull();
  });
});
