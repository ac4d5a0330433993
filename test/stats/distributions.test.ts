import fc from "fast-check";
import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { expectClose } from "./close.ts";

// Values by mpmath 1.3 with 40 digits; the studentised range by scipy 1.10.
test.each([
  [-37, 5.725571222524577e-300],
  [-8, 6.220960574271784e-16],
  [-1, 0.15865525393145705],
  [0.5, 0.6914624612740131],
  [5, 0.9999997133484281],
])("P(Z <= %d)", (z, expected) => expectClose(stats.normalCdf(z), expected, 1e-12));

test.each([
  [-40, 14, 3.884395400114277e-16],
  [-5, 1, 0.06283295818900118],
  [2.1, 14, 0.9728334270125476],
  [-16, 999, 9.014962495467748e-52],
  [-2, 1e6, 0.022750266925659603],
  [0.3, 2.5, 0.6063288142524014],
])("P(T <= %d) with %d degrees of freedom", (t, df, expected) =>
  expectClose(stats.tCdf(t, df), expected, 1e-12),
);

test.each([
  [2, 14, 1.5, 0.6678456311176684],
  [2, 1, 1.5, 0.4910199015177236],
  [-1, 3, 0.5, 0.09212120981435937],
  [50, 10, 40, 0.7796911071600509],
  [30, 1e5, 30, 0.49997010188142926],
])("noncentral P(T <= %d), %d degrees of freedom, shift %d", (t, df, shift, expected) =>
  expectClose(stats.noncentralTCdf(t, df, shift), expected, 1e-12),
);

test.each([
  [7.1, 3, 0.06877781936579976],
  [300, 14, 1.1820821840890873e-55],
  [0.1, 1, 0.7518296340458492],
])("P(χ² > %d) with %d degrees of freedom", (x, df, expected) => {
  expectClose(stats.chi2Tail(x, df), expected, 1e-12);
  expectClose(stats.chi2Cdf(x, df), 1 - expected, 1e-12);
});

test.each([
  [3.2, 2, 12, 0.0769450237840636],
  [40, 5, 7, 5.3026203382293114e-5],
  [0.5, 3, 300, 0.6825584604116398],
])("P(F > %d) with %d and %d degrees of freedom", (x, a, b, expected) => {
  expectClose(stats.fTail(x, a, b), expected, 1e-12);
  expectClose(stats.fCdf(x, a, b), 1 - expected, 1e-12);
});

test.each([
  [3.5, 3, 12, 0.9300045147248164],
  [1, 2, 5, 0.48891591956971947],
  [5, 10, 60, 0.9747157802409215],
])("P(range <= %d) of %d means, %d degrees of freedom", (q, k, df, expected) =>
  expectClose(stats.studentizedRangeCdf(q, k, df), expected, 1e-11),
);

test("rank distributions agree with R's psignrank, pwilcox and pbinom", () => {
  expectClose(stats.signedRankCdf(30, 15), 0.04730224609375, 1e-15);
  expectClose(stats.rankSumCdf(50, 8, 7), 0.997047397047397, 1e-14);
  expectClose(stats.binomialCdf(4, 16, 0.5), 0.0384063720703125, 1e-14);
});

test("quantiles invert their distributions, far into the tails", () => {
  const p = fc.oneof(
    fc.double({ min: 1e-12, max: 1 - 1e-9, noNaN: true }),
    fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  );
  const df = fc.double({ min: 0.5, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(p, df, (share, freedom) => {
      expectClose(stats.normalCdf(stats.normalQuantile(share)), share, 1e-10);
      expectClose(stats.tCdf(stats.tQuantile(share, freedom), freedom), share, 1e-10);
      expectClose(stats.chi2Cdf(stats.chi2Quantile(share, freedom), freedom), share, 1e-9);
      expectClose(stats.fCdf(stats.fQuantile(share, 3, freedom), 3, freedom), share, 1e-9);
      expectClose(stats.incompleteBeta(stats.betaQuantile(share, 2, 5), 2, 5), share, 1e-9);
    }),
    { seed: 5, numRuns: 150 },
  );
});

test("quantiles at the ends of the scale are the ends of the distribution", () => {
  expect(stats.normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(stats.tQuantile(1, 3)).toBe(Number.POSITIVE_INFINITY);
  expect(stats.chi2Quantile(0, 3)).toBe(0);
  expectClose(stats.tQuantile(0.975, Number.POSITIVE_INFINITY), 1.9599639845400545, 1e-14);
});
