import { describe, expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import {
  normalQuantile,
  permutationDifference,
  signFlipDifference,
  signFlipTest,
  trimmedDifference,
} from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { rate, simulator } from "./calibration/simulate.ts";
import { expectClose } from "./close.ts";

const xs = [1.2, 3.4, 2.2, 0.1, 5.6, 4.4, 2.9, 30, -12, 3.1, 2.7, 4.0, 1.9, 2.0];
const ys = [0.4, 1.1, 2.0, -0.6, 3.0, 1.5, 0.9, 9, -25, 1.4, 0.7];

describe("the difference of trimmed means", () => {
  test("of independent samples agrees with scipy's ttest_ind(trim=0.15, equal_var=False)", () => {
    const { p, low, high, df } = answer(trimmedDifference(xs, ys));
    expectClose(p, 0.02213744808787977, 1e-9);
    expectClose(low, 0.2631410761867141, 1e-9);
    expectClose(high, 2.985747812702174, 1e-9);
    expectClose(df, 16.972392799009963, 1e-9);
  });

  test("of pairs agrees with the formula of Tukey and McLaughlin, worked out with numpy", () => {
    const { estimate, error, p, low } = answer(trimmedDifference(xs.slice(0, 11), ys, { isPaired: true }));
    expectClose(estimate, 3.111111111111111, 1e-9);
    expectClose(error, 1.7195327648209935, 1e-9);
    expectClose(p, 0.1080100095854947, 1e-9);
    expectClose(low, -0.85413856, 1e-7);
  });

  test("where the first pairs say how many there will be, errs as often as promised", () => {
    const { normal } = simulator("trimmed/pilot");
    const [pilot, share, runs] = [10, 0.02, 4000];
    // A spread that needs no more pairs, some more, and all that there may be.
    for (const spread of [0.01, 0.03, 0.08]) {
      const wrong = rate(runs, () => {
        const pairs = Array.from({ length: 3 * pilot }, () => [spread * normal(), spread * normal()]);
        const asked = (n: number) => {
          const [a, b] = [0, 1].map((k) => pairs.slice(0, n).map((pair) => pair[k]!));
          return answer(trimmedDifference(a!, b!, { isPaired: true, trim: 0.25, pilot }));
        };
        const first = asked(pilot);
        const times = ((first.high - first.low) / 2 / share) ** 2;
        const { low, high } = asked(Math.ceil(pilot * Math.min(3, Math.max(1, times))));
        return low > 0 || high < 0;
      });
      // Of ten normal values, the middle half errs so often by itself.
      expect(wrong).toBeLessThan(0.055 + 3 * Math.sqrt((0.055 * 0.945) / runs));
    }
  });

  test("without trimming is that of means", () => {
    const plain = answer(permutationDifference(xs, ys));
    const none = answer(permutationDifference(xs, ys, { trim: 0.01 }));
    expectClose(none.estimate, plain.estimate, 1e-9);
    expectClose(none.p, plain.p, 1e-9);
    expectClose(none.low, plain.low, 1e-2);
  });

  test("where the middle values are equal says why there is none", () => {
    const lump = [1, 1, 1, 1, 1, 1, 1, 9];
    expect(trimmedDifference(lump, lump)).toMatchObject({ known: false });
    expect(permutationDifference(lump, lump, { trim: 0.15 })).toMatchObject({ known: false });
  });
});

describe("p and interval agree", () => {
  const draw = new RandomStream(3, "trimmed").sequence();
  const cubes = (n: number, shift: number) =>
    Array.from({ length: n }, () => normalQuantile(draw()) ** 3 + shift);

  test.each([
    [8, 8],
    [6, 20],
    [15, 12],
  ])("permuted trimmed means of %i and %i", (m, n) => {
    for (const shift of [0, 0.5, 1, 2, 4]) {
      const found = answer(
        permutationDifference(cubes(m, shift), cubes(n, 0), { trim: 0.15, resamples: 499 }),
      );
      expect(found.p <= 0.05).toBe(found.low > 0 || found.high < 0);
      expect(found.low).toBeLessThanOrEqual(found.estimate);
      expect(found.high).toBeGreaterThanOrEqual(found.estimate);
    }
  });

  test.each([7, 12, 20])("flipped signs of %i differences, whose p is that of the test", (n) => {
    for (const shift of [0, 0.5, 1, 2]) {
      const d = cubes(n, shift);
      const found = answer(signFlipDifference(d));
      expect(found.p <= 0.05).toBe(found.low > 0 || found.high < 0);
      expect(Math.abs(found.p - answer(signFlipTest(d)).p)).toBeLessThan(n > 17 ? 0.02 : 1e-9);
    }
  });

  test.each([7, 12, 17])("flipped signs of %i differences end where the test begins to reject", (n) => {
    const d = cubes(n, 0.5);
    const { low, high } = answer(signFlipDifference(d));
    const pAt = (delta: number, side: "greater" | "less") =>
      answer(
        signFlipTest(
          d.map((x) => x - delta),
          { side },
        ),
      ).p;
    const step = 1e-7;
    expect(pAt(low - step, "greater")).toBeLessThanOrEqual(0.025);
    expect(pAt(low + step, "greater")).toBeGreaterThan(0.025);
    expect(pAt(high + step, "less")).toBeLessThanOrEqual(0.025);
    expect(pAt(high - step, "less")).toBeGreaterThan(0.025);
  });

  test.each([
    [8, 8, 0],
    [5, 45, 0],
    [30, 12, 0],
    [30, 30, 0.15],
  ])("splits of %i and %i values, trimmed by %d, end where the test begins to reject", (m, n, trim) => {
    const [xs, ys] = [cubes(m, 0.4), cubes(n, 0)];
    const options = { trim, resamples: 1999 };
    const { low, high } = answer(permutationDifference(xs, ys, options));
    const pAt = (delta: number, side: "greater" | "less") =>
      answer(
        permutationDifference(
          xs.map((x) => x - delta),
          ys,
          { ...options, side },
        ),
      ).p;
    const step = 0.01 * (high - low);
    expect(pAt(low - step, "greater")).toBeLessThanOrEqual(0.025);
    expect(pAt(low + step, "greater")).toBeGreaterThan(0.025);
    expect(pAt(high + step, "less")).toBeLessThanOrEqual(0.025);
    expect(pAt(high - step, "less")).toBeGreaterThan(0.025);
  });

  test("too few differing pairs leave the interval open", () => {
    expect(answer(signFlipDifference([0, 0, 0, 1, 2]))).toMatchObject({ floor: 0.5, p: 0.5 });
  });
});
