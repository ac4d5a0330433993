import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { independentRoot, pairedRoot, pairedScore } from "../../src/stats/rates/rate-statistics.ts";
import { answer } from "./answer.ts";

const chance = (n: number, k: number, p: number) => {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways * p ** k * (1 - p) ** (n - k);
};

/** The largest chance over a fine grid of rates, by adding up every outcome. */
function largest(of: (rate: number) => number, most: number): number {
  let top = 0;
  for (let i = 0; i <= 400; i++) top = Math.max(top, of((i * most) / 400));
  return top;
}

describe("exact p-values of two rates are what adding up every outcome gives", () => {
  test.each([
    [5, 1, 12],
    [4, 0, 8],
    [0, 0, 9],
    [2, 7, 15],
  ])("%d and %d of %d pairs", (b, c, n) => {
    const seen = Math.abs(pairedRoot(b, c, n, 0));
    const tail = (rate: number) => {
      let total = 0;
      for (let x = 0; x <= n; x++)
        for (let y = 0; x + y <= n; y++) {
          const above = pairedRoot(x, y, n, 0) - seen;
          if (above < -1e-9) continue;
          // Those that are as far count half.
          total += (above > 1e-9 ? 1 : 0.5) * chance(n, x, rate) * chance(n - x, y, rate / (1 - rate));
        }
      return total;
    };
    const { p } = answer(
      stats.pairedRateDifference({ both: 0, onlyFirst: b, onlySecond: c, neither: n - b - c }),
    );
    expect(p).toBeCloseTo(Math.min(1, 2 * largest(tail, 0.5)), 3);
  });

  test.each([
    [5, 5, 1, 5],
    [7, 10, 3, 12],
    [4, 5, 9, 30],
  ])("%d of %d against %d of %d", (x, m, y, n) => {
    const seen = independentRoot([x, m], [y, n], 0) - 1e-9;
    const tail = (rate: number) => {
      let total = 0;
      for (let i = 0; i <= m; i++)
        for (let j = 0; j <= n; j++)
          if (independentRoot([i, m], [j, n], 0) >= seen) total += chance(m, i, rate) * chance(n, j, rate);
      return total;
    };
    const { p } = answer(
      stats.rateDifference({ successes: x, n: m }, { successes: y, n }, { side: "greater" }),
    );
    expect(p).toBeCloseTo(largest(tail, 1), 3);
    const eitherWay = (rate: number) => {
      let total = 0;
      for (let i = 0; i <= m; i++)
        for (let j = 0; j <= n; j++)
          if (Math.abs(independentRoot([i, m], [j, n], 0)) >= seen)
            total += chance(m, i, rate) * chance(n, j, rate);
      return total;
    };
    const both = answer(stats.rateDifference({ successes: x, n: m }, { successes: y, n }));
    expect(both.p).toBeCloseTo(largest(eitherWay, 1), 3);
  });

  test("from no difference on, more successes of the first arm always speak more for it", () => {
    for (const n of [1, 2, 5, 20])
      for (const delta of [-0.9, -0.3, -0.02, 0, 0.02, 0.4, 0.95])
        for (let c = 0; c <= n; c++)
          for (let b = 0; b + c < n; b++) {
            const here = pairedRoot(b, c, n, delta);
            expect(pairedRoot(b + 1, c, n, delta)).toBeGreaterThanOrEqual(here - 1e-9);
            if (c > 0) expect(pairedRoot(b, c - 1, n, delta)).toBeGreaterThanOrEqual(here - 1e-9);
          }
  });
});

describe("false claims of equal rates, added up over every outcome", () => {
  test("of pairs: 5.3 % at most, or 6.5 % where nearly every pair differs", () => {
    for (const n of [5, 6, 8, 9, 10, 17, 24, 40]) {
      const claims = (differing: number) => answer(stats.ratePower(n, { effect: 0, differing })).value;
      expect(largest(claims, 0.5)).toBeLessThan(0.0535);
      expect(largest(claims, 1)).toBeLessThan(0.066);
    }
  });

  test("of independent groups: 5 % at most at every rate, of any sizes", () => {
    for (const [m, n] of [
      [5, 5],
      [5, 20],
      [12, 6],
    ] as const) {
      const rejected: [number, number][] = [];
      for (let x = 0; x <= m; x++)
        for (let y = 0; y <= n; y++)
          if (answer(stats.rateDifference({ successes: x, n: m }, { successes: y, n })).p <= 0.05)
            rejected.push([x, y]);
      const claims = (rate: number) =>
        rejected.reduce((total, [x, y]) => total + chance(m, x, rate) * chance(n, y, rate), 0);
      expect(largest(claims, 1)).toBeLessThanOrEqual(0.0501);
    }
  });
});

describe("the interval is the test inverted", () => {
  const levels = [0.8, 0.95, 0.99];

  test("of pairs: it leaves 0 out exactly where p is at most 1 − level", () => {
    for (const n of [6, 20, 300])
      for (let b = 0; b <= Math.min(n, 14); b++)
        for (const c of [0, 1, 4])
          for (const level of b + c <= n ? levels : []) {
            const outcomes = { both: n - b - c, onlyFirst: b, onlySecond: c, neither: 0 };
            const { p, low, high, estimate } = answer(stats.pairedRateDifference(outcomes, { level }));
            expect(low > 0 || high < 0).toBe(p <= 1 - level + 1e-12);
            expect(low).toBeLessThanOrEqual(estimate);
            expect(high).toBeGreaterThanOrEqual(estimate);
          }
  });

  test("of independent groups, of very unequal sizes too, and on one side", () => {
    for (const [m, n] of [
      [5, 5],
      [4, 40],
      [150, 150],
    ] as const)
      for (const x of [0, 1, 2, 4])
        for (const y of [0, 2, 4])
          for (const side of ["two-sided", "greater", "less"] as const) {
            const { p, low, high } = answer(
              stats.rateDifference({ successes: x, n: m }, { successes: y, n }, { side }),
            );
            expect(low > 0 || high < 0).toBe(p <= 0.05);
          }
  });

  test("swapped arms give the mirrored interval", () => {
    const there = answer(stats.rateDifference({ successes: 7, n: 9 }, { successes: 5, n: 20 }));
    const back = answer(stats.rateDifference({ successes: 5, n: 20 }, { successes: 7, n: 9 }));
    expect(back.low).toBeCloseTo(-there.high, 9);
    expect(back.p).toBeCloseTo(there.p, 12);
  });
});

describe("known values", () => {
  test("at the ends of the normal interval of pairs the score is 1.96 standard errors", () => {
    const found = answer(
      stats.pairedRateDifference(
        { both: 36, onlyFirst: 12, onlySecond: 2, neither: 0 },
        { method: "normal" },
      ),
    );
    expect(pairedScore(12, 2, 50, found.low)).toBeCloseTo(1.96, 2);
    expect(pairedScore(12, 2, 50, found.high)).toBeCloseTo(-1.96, 2);
  });

  test("Miettinen and Nurminen's interval of 56 of 70 against 48 of 80", () => {
    const found = answer(
      stats.rateDifference({ successes: 56, n: 70 }, { successes: 48, n: 80 }, { method: "normal" }),
    );
    expect(found.low).toBeCloseTo(0.0528, 3);
    expect(found.high).toBeCloseTo(0.3382, 3);
  });
});

describe("power of the test that is used", () => {
  test("is what adding up the outcomes that it rejects gives", () => {
    const n = 12;
    const [first, second] = [0.45, 0.1];
    let total = 0;
    for (let b = 0; b <= n; b++)
      for (let c = 0; b + c <= n; c++) {
        const { p } = answer(
          stats.pairedRateDifference({ both: 0, onlyFirst: b, onlySecond: c, neither: n - b - c }),
        );
        if (p <= 0.05) total += chance(n, b, first) * chance(n - b, c, second / (1 - first));
      }
    const power = answer(stats.ratePower(n, { effect: first - second, differing: first + second })).value;
    expect(power).toBeCloseTo(total, 6);
  });

  test("the planned size has the power asked for, and grows into the normal approximation's", () => {
    for (const setting of [
      { effect: 0.3, differing: 0.4 },
      { effect: 0.4, rate: 0.4 },
      { effect: -0.1, rate: 0.5 },
    ]) {
      const { n } = answer(stats.rateSampleSize(0.8, setting));
      expect(answer(stats.ratePower(n, setting)).value).toBeGreaterThanOrEqual(0.8);
      expect(answer(stats.ratePower(n, setting)).value).toBeLessThan(0.86);
    }
    const { n } = answer(stats.rateSampleSize(0.8, { effect: 0.1, rate: 0.5 }));
    const rough = answer(stats.sampleSizeForProportions(0.5, 0.6));
    expect(Math.abs(n - rough.n)).toBeLessThan(0.02 * n);
  });

  test("declines what is no question", () => {
    expect(stats.ratePower(10, { effect: 0.2 })).toMatchObject({ known: false });
    expect(stats.ratePower(10, { effect: 0.9, rate: 0.5 })).toMatchObject({ known: false });
    expect(stats.rateSampleSize(0.8, { effect: 0, rate: 0.5 })).toMatchObject({ known: false });
    expect(stats.pairedRateDifference({ both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 })).toMatchObject({
      known: false,
    });
  });
});
