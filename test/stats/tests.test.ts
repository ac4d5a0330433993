import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";
import { maize, pairs15, sleep, tied } from "./samples.ts";

const { treatment, control } = pairs15;

describe("t tests", () => {
  test("Student's sleep data, as in R's own documentation", () => {
    const welch = answer(stats.welchTest(sleep.first, sleep.second));
    expectClose(welch.statistic, -1.8608134674868526);
    expectClose(welch.df!, 17.776473516178473, 1e-9);
    expectClose(welch.p, 0.07939414018735823);
    const paired = answer(stats.pairedTTest(sleep.first, sleep.second));
    expectClose(paired.statistic, -4.062127683382037);
    expectClose(paired.p, 0.00283289019738427);
  });

  test("one-sided p-values are the two tails", () => {
    const p = (side: stats.Side) => answer(stats.welchTest(sleep.first, sleep.second, { side })).p;
    expectClose(p("less"), 0.07939414018735823 / 2);
    expectClose(p("less") + p("greater"), 1, 1e-14);
  });
});

describe("rank tests", () => {
  test("agree with R on untied data, exact and normal", () => {
    const wilcoxon = (options: stats.WilcoxonOptions) =>
      answer(stats.wilcoxonTest(treatment, control, options));
    expect(wilcoxon({}).statistic).toBe(99);
    expectClose(wilcoxon({ method: "exact" }).p, 0.02557373046875, 1e-14);
    expectClose(wilcoxon({ method: "normal" }).p, 0.0287678605974676);
    expectClose(wilcoxon({ method: "normal", continuity: false }).p, 0.0267565536244677);
    const whitney = (options: stats.MannWhitneyOptions) =>
      answer(stats.mannWhitneyTest(treatment, control, options));
    expect(whitney({}).statistic).toBe(129);
    expectClose(whitney({ method: "exact" }).p, 0.512486352283095);
    expectClose(whitney({ method: "normal" }).p, 0.506914933812496);
    expectClose(whitney({ method: "normal", continuity: false }).p, 0.493730116682762);
  });

  test("agree with scipy on ties and zeros by the normal approximation", () => {
    const p = (options: stats.WilcoxonOptions) =>
      answer(stats.wilcoxonTest(tied.x, tied.y, { method: "normal", ...options })).p;
    expectClose(p({}), 0.0982421905790877);
    expectClose(p({ continuity: false }), 0.08446903225325182);
    expectClose(p({ zeros: "pratt" }), 0.11417297388197455);
    expectClose(p({ zeros: "split", continuity: false }), 0.11229156473206237);
    expectClose(answer(stats.mannWhitneyTest(tied.x, tied.y, { method: "normal" })).p, 0.6834895262286849);
  });

  test("exact distributions with ties are those of all relabellings", () => {
    const x = [1, 2, 2, 5];
    const y = [2, 3, 5, 5, 6];
    const { ranks } = stats.midranks([...x, ...y]);
    const observed = ranks.slice(0, 4).reduce((sum, rank) => sum + rank, 0);
    let below = 0;
    let all = 0;
    for (let mask = 0; mask < 512; mask++) {
      const chosen = Array.from(ranks).filter((_, i) => (mask >> i) & 1);
      if (chosen.length !== 4) continue;
      all++;
      if (chosen.reduce((sum, rank) => sum + rank, 0) <= observed) below++;
    }
    expectClose(answer(stats.mannWhitneyTest(x, y, { side: "less" })).p, below / all, 1e-14);
    expectClose(answer(stats.mannWhitneyTest(y, x, { side: "greater" })).p, below / all, 1e-14);
  });
});

describe("permutation tests", () => {
  test("Darwin's maize: Fisher counted 863 of 32,768 sign flips at least as large", () => {
    expect(answer(stats.signFlipTest(maize, { side: "greater" })).p).toBe(863 / 32768);
    expect(answer(stats.signFlipTest(maize)).p).toBe((2 * 863) / 32768);
    const sampled = answer(stats.signFlipTest(maize, { method: "sampled", resamples: 50_000 })).p;
    expect(Math.abs(sampled - 1726 / 32768)).toBeLessThan(0.004);
  });

  test("five pairs can't reach .05, and the answer says so", () => {
    const five = answer(stats.signFlipTest([1, 2, 3, 4, 5]));
    expect(five).toMatchObject({ p: 0.0625, floor: 0.0625 });
    expect(five.cautions[0]).toBe("5 differing pairs can't give a p below 0.0625, however clear the data");
  });

  test("thirty pairs are still exact, and agree with random flips", () => {
    const d = Array.from({ length: 30 }, (_, i) => Math.sin(3 * i) + 0.3);
    const exact = answer(stats.signFlipTest(d));
    expect(exact.method).toContain("exact");
    const sampled = answer(stats.signFlipTest(d, { method: "sampled", resamples: 100_000 })).p;
    expect(Math.abs(sampled - exact.p)).toBeLessThan(4 * Math.sqrt((exact.p * (1 - exact.p)) / 100_000));
  });

  test("labels: all 6,435 splits of 8 and 7, against exact fractions", () => {
    const x = treatment.slice(0, 8);
    const y = control.slice(0, 7);
    const p = (options: stats.LabelPermutationOptions) =>
      answer(stats.labelPermutationTest(x, y, { statistic: "mean", ...options })).p;
    expectClose(p({}), 0.6127428127428127, 1e-14);
    expectClose(p({ twoSided: "doubled" }), 0.620979020979021, 1e-14);
    expectClose(p({ side: "greater" }), 0.3104895104895105, 1e-14);
    expect(Math.abs(p({ method: "sampled", resamples: 50_000 }) - p({}))).toBeLessThan(0.01);
  });

  test("labels: arms without spread that differ are as far apart as can be", () => {
    expect(answer(stats.labelPermutationTest([1, 1, 1, 1], [0, 0, 0, 0])).p).toBe(2 / 70);
  });
});

describe("right and wrong", () => {
  test("McNemar's test is the binomial of the disagreements, and p is never above 1", () => {
    expectClose(answer(stats.mcnemarTest(12, 4)).p, 0.076812744140625, 1e-12);
    expectClose(answer(stats.mcnemarTest(12, 4, { side: "greater" })).p, 0.0384063720703125, 1e-12);
    expectClose(answer(stats.mcnemarTest(12, 4, { method: "chi-square" })).p, 0.0801183137276343);
    expect(answer(stats.mcnemarTest(5, 5)).p).toBe(1);
  });

  test("Fisher's exact and the chi-square test agree with R", () => {
    expectClose(answer(stats.fisherTest([27, 23], [20, 30])).p, 0.229151820611614);
    const two = (continuity: boolean) =>
      answer(stats.twoProportionTest({ successes: 27, n: 50 }, { successes: 20, n: 50 }, { continuity }));
    expectClose(two(false).p, 0.160757986024542);
    expectClose(two(true).p, 0.229299277683124);
  });
});

describe("several groups", () => {
  const groups = [
    [6.1, 5.8, 6.4, 6, 5.9],
    [6.6, 6.9, 6.3, 7.1, 6.8],
    [5.5, 5.9, 6.2, 5.7, 6],
  ];

  test("ANOVA, Kruskal-Wallis, Friedman and Tukey agree with R", () => {
    expectClose(answer(stats.anovaTest(groups)).p, 0.000575532560793078);
    expectClose(answer(stats.kruskalWallisTest(groups)).p, 0.0101896790550274);
    expectClose(answer(stats.friedmanTest(groups)).p, 0.0742735782143339);
    const [first] = answer(stats.tukeyTest(groups)).pairs;
    expectClose(first!.p, 0.00391003192311301, 1e-9);
    expectClose(first!.low, 0.244115259283626, 1e-8);
  });
});

describe("diagnostics", () => {
  test("Shapiro-Wilk agrees with R", () => {
    const test = answer(stats.shapiroWilkTest(stats.differences(treatment, control)));
    expectClose(test.statistic, 0.955351325647332, 1e-9);
    expectClose(test.p, 0.612257649745805, 1e-9);
    expect(answer(stats.shapiroWilkTest([1, 2, 3])).statistic).toBe(1);
  });

  test("Levene's test agrees with scipy, about the median and the mean", () => {
    const groups = [
      [6.1, 5.8, 6.4, 6, 5.9],
      [6.6, 6.9, 6.3, 7.1, 6.8, 9],
      [5.5, 5.9, 6.2, 5.7, 6],
    ];
    expectClose(answer(stats.leveneTest(groups)).p, 0.4014420780133288, 1e-9);
    expectClose(answer(stats.leveneTest(groups, { centre: "mean" })).p, 0.17939031918071788, 1e-9);
  });
});

describe("the Mann-Kendall test", () => {
  test("counts rising minus falling pairs, with the variance of Kendall for ties", () => {
    // S, its variance and the normal tail by hand: see also scipy.stats.kendalltau, which leaves continuity out.
    const tiedSeries = [23, 24, 29, 6, 29, 24, 24, 29, 23, 28, 31, 27];
    const found = answer(stats.mannKendallTest(tiedSeries));
    expect(found.statistic).toBe(17);
    expectClose(found.p, 0.26300792326474975, 1e-9);
    const rising = answer(stats.mannKendallTest([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { side: "greater" }));
    expect(rising.statistic).toBe(45);
    expectClose(rising.p, 4.151535166322487e-5, 1e-9);
    expect(stats.mannKendallTest([3, 3, 3, 3])).toMatchObject({ known: false });
  });

  test("keeps its level: an order of six values is not called a trend more often than it may", () => {
    const orders = permutations([1, 2, 3, 4, 5, 6]);
    for (const alpha of [0.05, 0.2]) {
      const called = orders.filter((order) => answer(stats.mannKendallTest(order)).p <= alpha).length;
      expect(called / orders.length).toBeLessThanOrEqual(alpha + 0.01);
    }
  });
});

test("the median of the slopes of all pairs is Sen's", () => {
  const found = answer(stats.medianSlope([23, 24, 29, 6, 29, 24, 24, 29, 23, 28, 31, 27]));
  expectClose(found.value, 0.3484848484848485);
  expect(answer(stats.medianSlope([1, 2, 3, 1000, 5])).value).toBe(1);
});

test("values far from the rest are found by the median absolute deviation", () => {
  expect(stats.findOutliers([1, 2, 1, 2, 1, 100])).toEqual([5]);
  expect(stats.findOutliers([1, 2, 3, 4, 5, 6])).toEqual([]);
});

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  );
}
