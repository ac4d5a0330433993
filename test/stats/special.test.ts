import fc from "fast-check";
import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { findRoot } from "../../src/stats/special/find-root.ts";
import { expectClose } from "./close.ts";

// Values by mpmath 1.3 with 40 digits.
test.each([
  [1e-5, 11.512919692895826],
  [0.5, 0.5723649429247001],
  [1.5, -0.12078223763524522],
  [10.5, 13.940625219403763],
  [11.9, 17.25847745059552],
  [171.5, 709.1431630309282],
  [1e7, 151180949.3694739],
])("ln Γ(%d)", (x, expected) => expectClose(stats.lnGamma(x), expected, 1e-13));

test.each([
  [-2, -0.9953222650189527],
  [0.001, 0.0011283787909692365],
  [0.5, 0.5204998778130465],
  [1.49, 0.9648978648432042],
  [1.51, 0.9672767481287117],
  [3, 0.9999779095030014],
])("erf(%d)", (x, expected) => expectClose(stats.erf(x), expected, 1e-14));

test.each([
  [-1, 1.842700792949715],
  [0.5, 0.4795001221869535],
  [2, 0.004677734981047266],
  [6, 2.1519736712498913e-17],
  [26, 5.663192408856143e-296],
])("erfc(%d) keeps its digits in the tail", (x, expected) => expectClose(stats.erfc(x), expected, 1e-12));

test.each([
  [0.5, 0.1, 0.345279153981423, 0.654720846018577],
  [3, 2, 0.32332358381693654, 0.6766764161830635],
  [100, 90, 0.15822098918643018, 0.8417790108135699],
  [7, 30, 0.9999998826805799, 1.1731942002346961e-7],
  [2, 200, 1, 2.7816320187408423e-85],
])("incomplete gamma of a = %d at x = %d, both tails", (a, x, lower, upper) => {
  expectClose(stats.incompleteGamma(a, x).lower, lower, 1e-13);
  expectClose(stats.incompleteGamma(a, x).upper, upper, 1e-12);
});

test.each([
  [0.3, 2, 5, 0.579825],
  [0.001, 0.5, 0.5, 0.020135041633377492],
  [0.5, 1000, 1000, 0.5],
  [0.9, 200, 3, 1.566227562121491e-7],
  [1e-8, 0.5, 30, 0.0006154689785560817],
])("incomplete beta I_%d(%d, %d)", (x, a, b, expected) =>
  expectClose(stats.incompleteBeta(x, a, b), expected, 1e-12),
);

test.each([
  [0.5, 0.5, 1.1447298858494002],
  [3, 700, -18.96437444554386],
  [1e6, 0.5, -6.335390211057437],
  [1e6, 2e6, -1909548.290968533],
])("ln B(%d, %d) loses nothing to cancellation", (a, b, expected) =>
  expectClose(stats.lnBeta(a, b), expected, 1e-13),
);

test("binomial coefficients are exact while they fit, and their logarithms agree beyond", () => {
  expect(stats.choose(52, 5)).toBe(2_598_960);
  expect(stats.choose(56, 28)).toBe(7_648_690_600_760_440);
  expect(stats.choose(5, 7)).toBe(0);
  expectClose(stats.lnChoose(1000, 500), 689.4672615678512, 1e-12);
  expectClose(Math.log(stats.choose(200, 100)), stats.lnChoose(200, 100), 1e-12);
});

test("the incomplete beta function is symmetric: I_x(a, b) = 1 − I_1−x(b, a)", () => {
  const shape = fc.double({ min: 0.1, max: 500, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), shape, shape, (x, a, b) => {
      const both = stats.incompleteBeta(x, a, b) + stats.incompleteBeta(1 - x, b, a, x);
      return Math.abs(both - 1) < 1e-11;
    }),
    { seed: 4, numRuns: 500 },
  );
});

test("a root is found to the last bits, also where the function is flat beside it", () => {
  expectClose(
    findRoot((x) => x * x - 2, 0, 2),
    Math.SQRT2,
    1e-15,
  );
  expectClose(
    findRoot((x) => Math.tanh(50 * (x - 0.3)), -10, 10),
    0.3,
    1e-14,
  );
  expect(() => findRoot((x) => x * x + 1, -1, 1)).toThrow("no change of sign");
});
