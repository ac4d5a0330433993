import { describe, expect, test } from "vitest";
import * as stats from "../../../src/stats/index.ts";
import { answer } from "../answer.ts";
import { expectAtMost, expectRate, rate, simulator } from "./simulate.ts";

const RUNS = 2000;
const SIZES = [5, 10, 20, 50];
const ALPHA = 0.05;
/** Rejects at .05; data that can't be tested, such as all zeros, reject nothing. */
const rejects = (test: stats.Result<{ p: number }>) => test.known && test.p <= ALPHA;

describe("a true null is rejected as often as it should be", () => {
  test.each(SIZES)("paired t and Welch, normal data, n = %d", (n) => {
    const { normal, sample } = simulator(`t/${n}`);
    expectRate(
      rate(RUNS, () => rejects(stats.pairedTTest(sample(n, normal), sample(n, normal)))),
      ALPHA,
      { runs: RUNS },
    );
    expectRate(
      rate(RUNS, () => rejects(stats.welchTest(sample(n, normal), sample(n, normal)))),
      ALPHA,
      { runs: RUNS, slack: 0.005 },
    );
  });

  test.each(SIZES)("paired t and Welch, lognormal and 0/1 data, n = %d: no more often", (n) => {
    for (const kind of ["lognormal", "binary"] as const) {
      const { draw, sample } = simulator(`t/${kind}/${n}`);
      const of = draw[kind];
      expectAtMost(
        rate(RUNS, () => rejects(stats.pairedTTest(sample(n, of), sample(n, of)))),
        ALPHA,
        { runs: RUNS },
      );
      expectAtMost(
        rate(RUNS, () => rejects(stats.welchTest(sample(n, of), sample(n, of)))),
        ALPHA,
        { runs: RUNS },
      );
    }
  });

  test.each(SIZES)("rank tests, normal, lognormal and 0/1 data, n = %d: no more often, ties or not", (n) => {
    for (const kind of ["normal", "lognormal", "binary"] as const) {
      const { draw, sample } = simulator(`rank/${kind}/${n}`);
      const of = draw[kind];
      expectAtMost(
        rate(1000, () => rejects(stats.wilcoxonTest(sample(n, of), sample(n, of)))),
        ALPHA,
        { runs: 1000 },
      );
      const options = n === 20 ? ({ method: "normal" } as const) : {};
      expectAtMost(
        rate(1000, () => rejects(stats.mannWhitneyTest(sample(n, of), sample(n, of), options))),
        ALPHA,
        { runs: 1000 },
      );
    }
  });

  test.each(SIZES)(
    "permutation tests, normal, lognormal and 0/1 data, n = %d: never more often, and not for lack of trying",
    (n) => {
      const runs = n < 20 ? RUNS : RUNS / 2;
      for (const kind of ["normal", "lognormal", "binary"] as const) {
        const { draw, sample } = simulator(`permutation/${kind}/${n}`);
        const of = draw[kind];
        const flips = rate(runs, () =>
          rejects(
            stats.signFlipTest(
              sample(n, () => of() - of()),
              { resamples: 199 },
            ),
          ),
        );
        expectAtMost(flips, ALPHA, { runs });
        const options = n === 5 ? {} : ({ method: "sampled", resamples: 199 } as const);
        const labels = rate(runs, () =>
          rejects(stats.labelPermutationTest(sample(n, of), sample(n, of), options)),
        );
        expectAtMost(labels, ALPHA, { runs });
        if (kind !== "binary" && n >= 10) {
          expectRate(flips, ALPHA, { runs });
          expectRate(labels, ALPHA, { runs });
        }
      }
    },
  );

  test.each([
    [5, 45],
    [5, 10],
    [20, 50],
  ])("unequal sizes %d and %d: label permutation stays at .05 however skewed the data", (m, n) => {
    for (const kind of ["normal", "lognormal"] as const) {
      const { draw, sample } = simulator(`sizes/${m}/${n}/${kind}`);
      const options = { method: "sampled", resamples: 199 } as const;
      for (const statistic of ["welch", "mean"] as const) {
        const run = () =>
          rejects(
            stats.labelPermutationTest(sample(m, draw[kind]), sample(n, draw[kind]), {
              ...options,
              statistic,
            }),
          );
        expectRate(rate(RUNS, run), ALPHA, { runs: RUNS });
      }
    }
  });

  test("sizes 5 and 45 with spreads 5 to 1: Welch's t holds, where the bare difference rejects nearly half the time", () => {
    const { normal, sample } = simulator("spreads");
    const wide = () => sample(5, () => 5 * normal());
    const permuted = (statistic: "welch" | "mean") => () =>
      rejects(
        stats.labelPermutationTest(wide(), sample(45, normal), {
          statistic,
          method: "sampled",
          resamples: 199,
        }),
      );
    expect(rate(RUNS, () => rejects(stats.welchTest(wide(), sample(45, normal))))).toBeLessThan(0.065);
    expect(rate(RUNS, permuted("welch"))).toBeLessThan(0.095);
    expect(rate(RUNS, permuted("mean"))).toBeGreaterThan(0.4);
  });

  test("equivalence: at the very margin it says yes at most 5 % of the time", () => {
    const { normal, sample } = simulator("equivalence");
    const run = () =>
      answer(
        stats.equivalenceTest(
          sample(20, () => 1.2 + normal()),
          sample(20, normal),
          { margin: 1.2 },
        ),
      ).equivalent;
    expectRate(rate(RUNS, run), ALPHA, { runs: RUNS });
  });

  test("Holm keeps the chance of any false claim among ten below 5 %, BH of a false share", () => {
    const { normal, sample } = simulator("holm");
    const ps = () =>
      Array.from({ length: 10 }, () => answer(stats.pairedTTest(sample(10, normal), sample(10, normal))).p);
    const anyOf = (adjust: typeof stats.holm) =>
      rate(1000, () => answer(adjust(ps())).adjusted.some((p) => p <= ALPHA));
    expectAtMost(anyOf(stats.holm), ALPHA, { runs: 1000 });
    expectAtMost(anyOf(stats.benjaminiHochberg), ALPHA, { runs: 1000 });
  });

  test("Shapiro-Wilk and Levene as diagnostics", () => {
    const { normal, sample } = simulator("diagnostics");
    for (const n of [10, 50]) {
      expectRate(
        rate(RUNS, () => rejects(stats.shapiroWilkTest(sample(n, normal)))),
        ALPHA,
        { runs: RUNS, slack: 0.006 },
      );
      expectAtMost(
        rate(RUNS, () => rejects(stats.leveneTest([sample(n, normal), sample(n, normal)]))),
        ALPHA,
        { runs: RUNS },
      );
    }
  });
});

describe("right and wrong, by adding up all outcomes", () => {
  const chance = (k: number, n: number, p: number) =>
    Math.exp(stats.lnChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));

  test.each(SIZES)("McNemar's and Fisher's exact tests never exceed .05, n = %d", (n) => {
    let mcnemar = 0;
    for (let k = 0; k <= n; k++) if (rejects(stats.mcnemarTest(k, n - k))) mcnemar += chance(k, n, 0.5);
    expect(mcnemar).toBeLessThanOrEqual(ALPHA);
    for (const p of [0.1, 0.3, 0.5]) {
      let fisher = 0;
      for (let j = 0; j <= n; j++) {
        for (let k = 0; k <= n; k++) {
          if (rejects(stats.fisherTest([j, n - j], [k, n - k]))) fisher += chance(j, n, p) * chance(k, n, p);
        }
      }
      expect(fisher).toBeLessThanOrEqual(ALPHA);
    }
  });
});

describe("a true effect is found as often as the power says", () => {
  test.each([
    [10, 1.2],
    [20, 0.9],
  ])("Welch, n = %d, effect %d", (n, effect) => {
    const { normal, sample } = simulator(`power/${n}`);
    const found = rate(RUNS, () =>
      rejects(
        stats.welchTest(
          sample(n, () => effect + normal()),
          sample(n, normal),
        ),
      ),
    );
    expectRate(found, answer(stats.tTestPower(effect, n)).value, { runs: RUNS, slack: 0.005 });
  });

  test("tasks with rollouts: the planned number of tasks has the planned power", () => {
    const { normal, sample } = simulator("rollouts");
    const plan = { betweenSd: 0.5, withinSd: [1, 1], rollouts: [3, 2], power: 0.8 } as const;
    const { n } = answer(stats.tasksForEffect(0.5, plan));
    const mean = (values: Float64Array) => answer(stats.mean(values)).value;
    const found = rate(RUNS, () => {
      const differences = sample(
        n,
        () => 0.5 + 0.5 * normal() + mean(sample(3, normal)) - mean(sample(2, normal)),
      );
      return rejects(stats.pairedTTest(differences, new Float64Array(n)));
    });
    expectRate(found, 0.8, { runs: RUNS, slack: 0.01 });
  });
});
