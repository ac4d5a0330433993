import { describe, expect, test } from "vitest";
import * as stats from "../../../src/stats/index.ts";
import { answer } from "../answer.ts";
import { rate, simulator } from "./simulate.ts";

const RUNS = 2000;
const LONGEST = 300;
const ALPHA = 0.05;

/** Whether any interval of a sequence, at any n, misses the truth. */
function everMisses(sequence: stats.Known<stats.ConfidenceSequence>, truth: number): boolean {
  for (let i = 0; i < sequence.lows.length; i++) {
    if (sequence.lows[i]! > truth || sequence.highs[i]! < truth) return true;
  }
  return false;
}

describe("looking after every run, over 2,000 null experiments", () => {
  test("t intervals from n = 5 to 100 are wrong somewhere in about a third: why sequences exist", () => {
    const { normal, sample } = simulator("peeking");
    const quantiles = Array.from({ length: 101 }, (_, n) => (n < 2 ? 0 : stats.tQuantile(0.975, n - 1)));
    const misses = rate(RUNS, () => {
      const xs = sample(100, normal);
      let mean = 0;
      let squares = 0;
      for (let n = 1; n <= 100; n++) {
        const step = xs[n - 1]! - mean;
        mean += step / n;
        squares += step * (xs[n - 1]! - mean);
        if (n >= 5 && Math.abs(mean) > quantiles[n]! * Math.sqrt(squares / (n - 1) / n)) return true;
      }
      return false;
    });
    expect(misses).toBeGreaterThan(0.28);
  });

  test.each([
    ["normal data", (s: ReturnType<typeof simulator>) => s.normal, 0],
    ["scores of 0 and 1", (s: ReturnType<typeof simulator>) => s.binary, 0.3],
    [
      "differences of lognormal arms",
      (s: ReturnType<typeof simulator>) => () => s.lognormal() - s.lognormal(),
      0,
    ],
  ] as const)("the asymptotic sequence is wrong in at most 5 percent: %s", (name, of, truth) => {
    const simulate = simulator(`asymptotic/${name}`);
    const draw = of(simulate);
    const misses = rate(RUNS, () =>
      everMisses(answer(stats.asymptoticSequence(simulate.sample(LONGEST, draw))), truth),
    );
    expect(misses).toBeLessThanOrEqual(ALPHA);
  });

  test("the asymptotic sequence is only asymptotic: lognormal data break it, as documented", () => {
    const { lognormal, sample } = simulator("asymptotic/lognormal");
    const misses = rate(500, () =>
      everMisses(answer(stats.asymptoticSequence(sample(LONGEST, lognormal))), Math.exp(0.5)),
    );
    expect(misses).toBeGreaterThan(ALPHA);
    expect(misses).toBeLessThan(0.16);
  });

  test.each([
    ["scores of 0 and 1", (s: ReturnType<typeof simulator>) => s.binary, 0.3],
    ["rare successes", (s: ReturnType<typeof simulator>) => () => (s.uniform() < 0.02 ? 1 : 0), 0.02],
    ["skewed scores", (s: ReturnType<typeof simulator>) => () => s.uniform() ** 3, 0.25],
  ] as const)("betting is wrong in at most 5 percent, from the first run on: %s", (name, of, truth) => {
    const simulate = simulator(`betting/${name}`);
    const draw = of(simulate);
    const misses = rate(
      RUNS,
      () => answer(stats.bettingCapital(simulate.sample(LONGEST, draw), truth)).p <= ALPHA,
    );
    expect(misses).toBeLessThanOrEqual(ALPHA);
  });
});

test("betting finds a difference of .2 between paired 0/1 arms within 300 tasks most of the time", () => {
  const { uniform, sample } = simulator("betting/power");
  const difference = () => (uniform() < 0.7 ? 1 : 0) - (uniform() < 0.5 ? 1 : 0);
  const found = rate(
    300,
    () => answer(stats.bettingCapital(sample(LONGEST, difference), 0, { bounds: [-1, 1] })).p <= ALPHA,
  );
  expect(found).toBeGreaterThan(0.7);
});
