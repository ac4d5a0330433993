import { describe, expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";

const outcomes = (xs: readonly number[]) => xs.map((x) => ({ attempts: 4, passed: x }));
const design = { betweenSd: 0.1, withinSd: [0.2, 0.2], rollouts: [2, 2] } as const;
const few = { resamples: 200 };

/** Every statistic of one sample. */
const ofOne: Record<string, (xs: readonly number[]) => stats.Result<object>> = {
  mean: stats.mean,
  median: stats.median,
  medianSlope: stats.medianSlope,
  mannKendallTest: (xs) => stats.mannKendallTest(xs),
  variance: stats.variance,
  standardDeviation: stats.standardDeviation,
  standardError: stats.standardError,
  coefficientOfVariation: stats.coefficientOfVariation,
  skewness: stats.skewness,
  kurtosis: stats.kurtosis,
  quantile: (xs) => stats.quantile(xs, 0.9),
  trimmedMean: (xs) => stats.trimmedMean(xs, 0.2),
  interquartileMean: stats.interquartileMean,
  areaUnderCurve: (xs) =>
    stats.areaUnderCurve(
      xs.map((_, i) => i),
      xs,
    ),
  lastMean: (xs) => stats.lastMean(xs, 2),
  tInterval: (xs) => stats.tInterval(xs),
  bootstrapPercentile: (xs) => stats.bootstrapInterval(xs, { ...few, method: "percentile" }),
  bootstrapBca: (xs) => stats.bootstrapInterval(xs, few),
  bootstrapStudentised: (xs) => stats.bootstrapInterval(xs, { ...few, method: "studentised" }),
  clusteredInterval: (xs) =>
    stats.clusteredInterval(
      xs,
      xs.map((_, i) => i % 3),
    ),
  hierarchicalBootstrap: (xs) =>
    stats.hierarchicalBootstrap(
      xs.map((x) => [x]),
      few,
    ),
  signFlipTest: (xs) => stats.signFlipTest(xs),
  shapiroWilkTest: stats.shapiroWilkTest,
  holm: stats.holm,
  benjaminiHochberg: stats.benjaminiHochberg,
  passAtK: (xs) => stats.passAtK(outcomes(xs), 2, few),
  passHatK: (xs) => stats.passHatK(outcomes(xs), 2, few),
  asymptoticSequence: (xs) => stats.asymptoticSequence(xs, { from: 2 }),
  bettingInterval: (xs) => stats.bettingInterval(xs, { bounds: [0, 1] }),
  bettingCapital: (xs) => stats.bettingCapital(xs, 0.4),
};

/** Every statistic of two. */
const ofTwo: Record<string, (xs: readonly number[], ys: readonly number[]) => stats.Result<object>> = {
  slope: stats.slope,
  pairedInterval: (xs, ys) => stats.pairedInterval(xs, ys),
  welchInterval: (xs, ys) => stats.welchInterval(xs, ys),
  bootstrapPairedInterval: (xs, ys) => stats.bootstrapPairedInterval(xs, ys, few),
  bootstrapPairedRatio: (xs, ys) =>
    stats.bootstrapPairedInterval(xs, ys, { ...few, statistic: (a, b) => a[0]! / b[0]! }),
  bootstrapDifferenceInterval: (xs, ys) => stats.bootstrapDifferenceInterval(xs, ys, few),
  bootstrapDifferenceStudentised: (xs, ys) =>
    stats.bootstrapDifferenceInterval(xs, ys, { ...few, method: "studentised" }),
  hierarchicalBootstrapDifference: (xs, ys) =>
    stats.hierarchicalBootstrapDifference(
      xs.map((x) => [x]),
      ys.map((y) => [y]),
      few,
    ),
  welchTest: (xs, ys) => stats.welchTest(xs, ys),
  pairedTTest: (xs, ys) => stats.pairedTTest(xs, ys),
  wilcoxonTest: (xs, ys) => stats.wilcoxonTest(xs, ys),
  wilcoxonNormal: (xs, ys) => stats.wilcoxonTest(xs, ys, { method: "normal" }),
  mannWhitneyTest: (xs, ys) => stats.mannWhitneyTest(xs, ys),
  mannWhitneyNormal: (xs, ys) => stats.mannWhitneyTest(xs, ys, { method: "normal" }),
  labelPermutationTest: (xs, ys) => stats.labelPermutationTest(xs, ys),
  leveneTest: (xs, ys) => stats.leveneTest([xs, ys]),
  anovaTest: (xs, ys) => stats.anovaTest([xs, ys]),
  kruskalWallisTest: (xs, ys) => stats.kruskalWallisTest([xs, ys]),
  friedmanTest: (xs, ys) => stats.friedmanTest([xs, ys]),
  tukeyTest: (xs, ys) => stats.tukeyTest([xs, ys]),
  meanDifference: (xs, ys) => stats.meanDifference(xs, ys),
  ratioOfMeans: (xs, ys) => stats.ratioOfMeans(xs, ys),
  cohensD: (xs, ys) => stats.cohensD(xs, ys),
  cohensDInterval: (xs, ys) => stats.cohensDInterval(xs, ys),
  hedgesG: (xs, ys) => stats.hedgesG(xs, ys),
  cliffsDelta: (xs, ys) => stats.cliffsDelta(xs, ys),
  probabilityOfSuperiority: (xs, ys) => stats.probabilityOfSuperiority(xs, ys),
  correlation: (xs, ys) => stats.correlation(xs, ys),
  rankCorrelation: (xs, ys) => stats.rankCorrelation(xs, ys),
  equivalenceTest: (xs, ys) => stats.equivalenceTest(xs, ys, { margin: 1 }),
  pairedEquivalence: (xs, ys) => stats.equivalenceTest(xs, ys, { margin: 1, paired: true }),
  varianceComponents: (xs, ys) => stats.varianceComponents([xs, ys]),
  pairedVarianceComponents: (xs, ys) => stats.pairedVarianceComponents([xs, ys], [ys, xs]),
};

const good = [0.1, 0.4, 0.2, 0.7, 0.5, 0.9];
const samples = {
  empty: [],
  one: [0.5],
  equal: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
  nan: [0.5, Number.NaN, 0.7, 0.1, 0.2, 0.3],
  infinite: [1, 2, 3, Number.POSITIVE_INFINITY],
};

/** A reason, or numbers that are numbers. Open ends of intervals are the only infinities. */
function expectHonest(result: stats.Result<object>): void {
  if (!result.known) {
    expect(result.why).toMatch(/\w{2,} \w+/);
    expect(result.why).not.toMatch(/undefined|object|\.$/);
    return;
  }
  for (const [name, value] of Object.entries(result)) {
    if (typeof value === "number") expect(value, name).toSatisfy(Number.isFinite);
    if (value && typeof value === "object" && "known" in value) expectHonest(value as stats.Result<object>);
  }
}

describe("no statistic ever gives NaN or throws on data", () => {
  test.each(Object.entries(ofOne))("%s", (_, statistic) => {
    for (const xs of [...Object.values(samples), [0.2, 0.3], [0, 1], [0, 0, 1], good])
      expectHonest(statistic(xs));
  });
  test.each(Object.entries(ofTwo))("%s", (_, statistic) => {
    const all = [...Object.values(samples), [0.2, 0.3], [0, 1, 1], [0, 0, 0, 0, 0, 0], good];
    for (const xs of all) for (const ys of all) expectHonest(statistic(xs, ys));
  });
});

describe("what the data can't carry is declined with a reason", () => {
  test.each(Object.entries(ofOne))("%s, of no values and of NaN", (_, statistic) => {
    expect(statistic([]).known).toBe(false);
    expect(statistic(samples.nan).known).toBe(false);
  });
  test.each(Object.entries(ofTwo))("%s, with one arm empty or holding NaN", (_, statistic) => {
    expect(statistic(good, []).known).toBe(false);
    expect(statistic([], good).known).toBe(false);
    expect(statistic(samples.nan, good).known).toBe(false);
  });
  test.each([
    "standardError",
    "tInterval",
    "bootstrapPercentile",
    "bootstrapBca",
    "bootstrapStudentised",
    "clusteredInterval",
    "hierarchicalBootstrap",
    "shapiroWilkTest",
  ])("%s, of one value and of equal values", (name) => {
    expect(ofOne[name]!([0.5]).known).toBe(false);
    expect(ofOne[name]!(samples.equal).known).toBe(false);
  });
  test.each([
    "welchTest",
    "welchInterval",
    "pairedTTest",
    "pairedInterval",
    "wilcoxonTest",
    "mannWhitneyTest",
    "labelPermutationTest",
    "cohensD",
    "equivalenceTest",
    "bootstrapPairedInterval",
    "bootstrapDifferenceInterval",
  ])("%s, of equal values in both arms", (name) => {
    expect(ofTwo[name]!(samples.equal, samples.equal).known).toBe(false);
  });

  test("the reasons are sentences a reader understands", () => {
    expect(stats.tInterval([0.5])).toEqual({
      known: false,
      why: "the sample has 1 value and this needs at least 2",
    });
    expect(stats.tInterval([])).toEqual({ known: false, why: "the sample is empty" });
    expect(stats.mean([1, Number.NaN])).toEqual({
      known: false,
      why: "value 2 of 2 of the sample is NaN, not a number",
    });
    expect(stats.welchTest([1, 2], [])).toEqual({ known: false, why: "the second sample is empty" });
    expect(stats.pairedTTest([1, 2], [1, 2, 3])).toEqual({
      known: false,
      why: "pairs need two samples of one length, and these have 2 and 3 values",
    });
    expect(stats.mcnemarTest(0, 0)).toEqual({ known: false, why: "the arms disagree on no task" });
    expect(stats.sampleSize(0, 0.8)).toEqual({ known: false, why: "no n can find an effect of 0" });
    expect(stats.wilsonInterval(0, 0)).toEqual({ known: false, why: "there are no tries" });
  });
});

test("differences that are equal but for rounding are equal", () => {
  const control = [0.1, 0.2, 0.3, 0.7, 1.1];
  const treatment = control.map((x) => x + 0.05);
  expect(new Set(treatment.map((x, i) => x - control[i]!)).size).toBeGreaterThan(1);
  for (const name of ["pairedTTest", "pairedInterval", "bootstrapPairedInterval", "pairedEquivalence"]) {
    expect(ofTwo[name]!(treatment, control), name).toMatchObject({ known: false });
  }
});

test("clusters whose sums are all zero give no zero-width interval", () => {
  expect(stats.clusteredInterval([-1, 1, -2, 2, -3, 3], ["a", "a", "b", "b", "c", "c"])).toMatchObject({
    known: false,
  });
});

test("options that make no sense are the caller's mistake, with the remedy in the message", () => {
  expect(() => stats.tInterval(good, { level: 95 })).toThrow(
    "level: expected a number between 0 and 1, got 95.",
  );
  expect(() => stats.bootstrapInterval(good, { resamples: 10 })).toThrow(
    "resamples: expected a whole number of at least 100, got 10.",
  );
  expect(() => stats.tTestPower(1, 10, { sd: 0 })).toThrow("sd: expected a positive number, got 0.");
  expect(() => stats.tasksForEffect(0.1, { ...design, rollouts: [0, 1] })).toThrow("rollouts");
});
