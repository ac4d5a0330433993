import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";
import { pairs15 } from "./samples.ts";

describe("location and spread", () => {
  const d = stats.differences(pairs15.treatment, pairs15.control);

  test("agree with numpy and scipy on fifteen differences", () => {
    expectClose(answer(stats.mean(d)).value, 0.02048, 1e-12);
    expectClose(answer(stats.standardDeviation(d)).value, 0.030199200557062995, 1e-12);
    expectClose(answer(stats.variance(d)).value, 0.030199200557062995 ** 2, 1e-12);
    expectClose(answer(stats.standardError(d)).value, 0.007797400055085515, 1e-12);
    expectClose(answer(stats.median(d)).value, 0.0342, 1e-12);
    expectClose(answer(stats.skewness(d)).value, -0.2941425490064557, 1e-10);
    expectClose(answer(stats.kurtosis(d)).value, -0.9453877010342708, 1e-10);
    expectClose(answer(stats.coefficientOfVariation(pairs15.control)).value, 0.1341233060280541, 1e-12);
  });

  test("keep their digits far from zero, where squares would lose them", () => {
    const shifted = [1e9 + 1, 1e9 + 2, 1e9 + 3];
    expect(answer(stats.variance(shifted)).value).toBe(1);
    expect(answer(stats.mean([1e16, 1, -1e16])).value).toBe(1 / 3);
  });
});

describe("quantiles", () => {
  // R 4.2.2, quantile(z, c(.05, .5, .95, .99), type = 1..9) on the treatment scores
  test.each([
    ["inverted-cdf", [0.525, 0.6549, 0.8053, 0.8053]],
    ["averaged-inverted-cdf", [0.525, 0.6549, 0.8053, 0.8053]],
    ["closest-observation", [0.525, 0.6549, 0.7696, 0.8053]],
    ["interpolated-inverted-cdf", [0.525, 0.6496, 0.778525, 0.799945]],
    ["hazen", [0.5264, 0.6549, 0.796375, 0.8053]],
    ["weibull", [0.525, 0.6549, 0.8053, 0.8053]],
    ["linear", [0.52892, 0.6549, 0.78031, 0.800302]],
    ["median-unbiased", [0.52556, 0.6549, 0.80173, 0.8053]],
    ["normal-unbiased", [0.52577, 0.6549, 0.80039125, 0.8053]],
  ] as const)("by the definition %s agree with R", (definition, expected) => {
    [0.05, 0.5, 0.95, 0.99].forEach((p, i) => {
      expectClose(answer(stats.quantile(pairs15.treatment, p, { definition })).value, expected[i]!, 1e-12);
    });
  });

  test("lie between the smallest and the largest value and rise with p", () => {
    const sample = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(sample, share, share, (xs, p, q) => {
        const [low, high] = [Math.min(p, q), Math.max(p, q)].map(
          (at) => answer(stats.quantile(xs, at)).value,
        );
        return low! >= Math.min(...xs) && high! <= Math.max(...xs) && low! <= high! + 1e-9;
      }),
      { seed: 1 },
    );
  });
});

describe("trimmed means", () => {
  test("cut whole values at both ends, as scipy's trim_mean", () => {
    expect(answer(stats.trimmedMean([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100], 0.25)).value).toBe(6);
    expect(answer(stats.trimmedMean([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], 0.1)).value).toBe(3.625);
  });

  test("the interquartile mean shrugs off a wild run and declines scores of 0 and 1", () => {
    expect(answer(stats.interquartileMean([1, 2, 3, 4, 5, 6, 7, 8e6])).value).toBe(4.5);
    expect(stats.interquartileMean([0, 1, 1, 0])).toMatchObject({ known: false });
  });
});

describe("learning curves", () => {
  const steps = [0, 1, 2, 4, 7, 11, 16];
  const values = [0, 0.11, 0.25, 0.31, 0.52, 0.58, 0.61];

  test("the area is numpy's trapz, and its mean height the area over the width", () => {
    const area = answer(stats.areaUnderCurve(steps, values));
    expectClose(area.area, 7.215, 1e-14);
    expectClose(area.mean, 0.4509375, 1e-14);
  });

  test("a window is cut at steps, with the curve interpolated at its edges", () => {
    const line = answer(stats.areaUnderCurve([0, 10], [0, 10], { from: 2, to: 4 }));
    expect(line).toMatchObject({ area: 6, mean: 3, from: 2, to: 4 });
    const last = answer(stats.areaUnderCurve(steps, values, { share: 0.25 }));
    expect(last).toMatchObject({ from: 12, to: 16 });
    expect(answer(stats.areaUnderCurve(steps, values, { share: 0.25, end: "first" }))).toMatchObject({
      from: 0,
      to: 4,
    });
  });

  test("how often a run logged does not move its area", () => {
    const dense = Array.from({ length: 161 }, (_, i) => i / 10);
    const thick = dense.map((step) => answer(stats.areaUnderCurve([0, 16], [step, step])).mean);
    const sparse = answer(stats.areaUnderCurve([0, 16], [0, 16], { share: 0.25 })).mean;
    expectClose(answer(stats.areaUnderCurve(dense, thick, { share: 0.25 })).mean, sparse, 1e-12);
  });

  test("a run that crashed before the window's end is declined, not compared at other steps", () => {
    const crashed = stats.areaUnderCurve(steps, values, { to: 20 });
    expect(crashed).toEqual({
      known: false,
      why: "the curve has steps 0 to 16 and the window asks for 0 to 20",
    });
    expect(stats.areaUnderCurve([0, 2, 1], [1, 1, 1])).toMatchObject({ known: false });
  });

  test("slope and the mean of the last values", () => {
    expectClose(answer(stats.slope([1, 2, 3, 4], [3, 5, 7, 9])).value, 2, 1e-15);
    expect(answer(stats.lastMean([9, 1, 2, 3], 3)).value).toBe(2);
    expect(stats.lastMean([1, 2], 3)).toMatchObject({ known: false });
  });
});
