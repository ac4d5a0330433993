import { describe, expect, test } from "vitest";
import * as stats from "../../../src/stats/index.ts";
import { answer } from "../answer.ts";
import { expectRate, rate, simulator, TRUE_MEAN } from "./simulate.ts";

const RUNS = 2000;
const SIZES = [5, 10, 20, 50];
const covers = (interval: stats.Result<stats.Interval>, truth: number) => {
  const { low, high } = answer(interval);
  return low <= truth && truth <= high;
};

describe("a 95 % interval covers the truth 95 % of the time", () => {
  test.each(SIZES)("t, normal data, n = %d", (n) => {
    const { normal, sample } = simulator(`t/${n}`);
    expectRate(
      rate(RUNS, () => covers(stats.tInterval(sample(n, normal)), 0)),
      0.95,
      { runs: RUNS },
    );
  });

  test.each(SIZES)("t, differences of two lognormal arms, n = %d: symmetric, so at least as often", (n) => {
    const { lognormal, sample } = simulator(`t/lognormal/${n}`);
    const coverage = rate(RUNS, () => covers(stats.tInterval(sample(n, () => lognormal() - lognormal())), 0));
    expect(coverage).toBeGreaterThan(0.935);
    expect(coverage).toBeLessThan(0.99);
  });

  test.each(SIZES)("bootstrap-t, normal data, n = %d", (n) => {
    const { normal, sample } = simulator(`studentised/${n}`);
    const run = () =>
      covers(stats.bootstrapInterval(sample(n, normal), { method: "studentised", resamples: 999 }), 0);
    expectRate(rate(1000, run), 0.95, { runs: 1000, slack: 0.008 });
  });

  test.each([
    [5, 10],
    [10, 40],
    [20, 50],
  ])("Welch, unequal sizes %d and %d and spreads 3 to 1", (m, n) => {
    const { normal, sample } = simulator(`welch/${m}/${n}`);
    const run = () =>
      covers(
        stats.welchInterval(
          sample(m, () => 3 * normal()),
          sample(n, normal),
        ),
        0,
      );
    expectRate(rate(RUNS, run), 0.95, { runs: RUNS, slack: 0.006 });
  });

  test.each([20, 50])("BCa and percentile, normal data, from n = %d on", (n) => {
    const { normal, sample } = simulator(`bca/${n}`);
    for (const method of ["percentile", "bca"] as const) {
      const run = () => covers(stats.bootstrapInterval(sample(n, normal), { method, resamples: 999 }), 0);
      expectRate(rate(1000, run), n === 20 ? 0.93 : 0.942, { runs: 1000 });
    }
  });

  test.each([
    [10, 40],
    [30, 60],
  ])("two-sample bootstrap-t, lognormal and normal data, sizes %d and %d", (m, n) => {
    const { lognormal, normal, sample } = simulator(`two-sample/${m}/${n}`);
    const truth = TRUE_MEAN.lognormal;
    const run = () =>
      covers(
        stats.bootstrapDifferenceInterval(sample(m, lognormal), sample(n, normal), {
          method: "studentised",
          resamples: 599,
        }),
        truth,
      );
    const coverage = rate(600, run);
    expect(coverage).toBeGreaterThan(m === 10 ? 0.84 : 0.9);
  });

  test.each(SIZES)("P(X > Y), normal data, n = %d an arm", (n) => {
    const { normal, sample } = simulator(`superiority/${n}`);
    const truth = stats.normalCdf(1 / Math.SQRT2);
    const coverage = rate(RUNS, () =>
      covers(
        stats.probabilityOfSuperiority(
          sample(n, () => normal() + 1),
          sample(n, normal),
        ),
        truth,
      ),
    );
    expectRate(coverage, 0.95, { runs: RUNS, slack: 0.015 });
  });

  test("Fieller's ratio and the interval of Cohen's d, n = 10", () => {
    const { normal, sample } = simulator("ratio");
    const ratio = () =>
      covers(
        stats.ratioOfMeans(
          sample(10, () => 10 + normal()),
          sample(10, () => 5 + normal()),
        ),
        2,
      );
    expectRate(rate(RUNS, ratio), 0.95, { runs: RUNS });
    const d = () =>
      covers(
        stats.cohensDInterval(
          sample(10, () => 0.8 + normal()),
          sample(10, normal),
        ),
        0.8,
      );
    expectRate(rate(400, d), 0.95, { runs: 400 });
  });
});

describe("where a method is known to fall short, it does so by what the documentation says", () => {
  // Measured with other programs: the coverage of 95 % intervals on normal and on lognormal data.
  test.each([
    [5, "percentile", 0.85, 0.722],
    [5, "bca", 0.848, 0.744],
    [5, "studentised", 0.958, 0.896],
    [20, "percentile", 0.936, 0.846],
    [20, "bca", 0.94, 0.87],
    [20, "studentised", 0.966, 0.926],
  ] as const)("n = %d, %s: %d and %d", (n, method, forNormal, forLognormal) => {
    const { draw, sample } = simulator(`known/${n}/${method}`);
    for (const [kind, expected] of [
      ["normal", forNormal],
      ["lognormal", forLognormal],
    ] as const) {
      const run = () =>
        covers(stats.bootstrapInterval(sample(n, draw[kind]), { method, resamples: 999 }), TRUE_MEAN[kind]);
      expectRate(rate(1000, run), expected, { runs: 1000, slack: 0.015 });
    }
  });

  test.each([
    [5, 0.822],
    [20, 0.861],
    [50, 0.9],
  ])("t, lognormal data, n = %d: %d", (n, expected) => {
    const { lognormal, sample } = simulator(`t/skewed/${n}`);
    const coverage = rate(RUNS, () => covers(stats.tInterval(sample(n, lognormal)), TRUE_MEAN.lognormal));
    expectRate(coverage, expected, { runs: RUNS, slack: 0.012 });
  });
});

describe("proportions, by adding up all outcomes", () => {
  const chance = (k: number, n: number, p: number) =>
    Math.exp(stats.lnChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
  const coverage = (n: number, p: number, interval: (k: number) => stats.Result<stats.Interval>) => {
    let total = 0;
    for (let k = 0; k <= n; k++) if (covers(interval(k), p)) total += chance(k, n, p);
    return total;
  };
  const grid = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

  test.each(SIZES)("Wilson's interval covers 95 percent on average and never far less, n = %d", (n) => {
    const at = grid.map((p) => coverage(n, p, (k) => stats.wilsonInterval(k, n)));
    expect(answer(stats.mean(at)).value).toBeGreaterThan(0.945);
    expect(answer(stats.mean(at)).value).toBeLessThan(0.965);
    expect(Math.min(...at)).toBeGreaterThan(0.83);
  });

  test.each(SIZES)("Clopper and Pearson's never covers less than 95 percent, n = %d", (n) => {
    for (const p of grid)
      expect(coverage(n, p, (k) => stats.clopperPearsonInterval(k, n))).toBeGreaterThanOrEqual(0.95);
  });

  test("Newcombe's interval of a difference, 20 and 30 tries", () => {
    let worst = 1;
    for (const p of [0.1, 0.3, 0.5, 0.8]) {
      for (const q of [0.2, 0.5, 0.9]) {
        let total = 0;
        for (let j = 0; j <= 20; j++) {
          for (let k = 0; k <= 30; k++) {
            const interval = stats.proportionDifferenceInterval(
              { successes: j, n: 20 },
              { successes: k, n: 30 },
            );
            if (covers(interval, p - q)) total += chance(j, 20, p) * chance(k, 30, q);
          }
        }
        worst = Math.min(worst, total);
      }
    }
    expect(worst).toBeGreaterThan(0.93);
  });
});
