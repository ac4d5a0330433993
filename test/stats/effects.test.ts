import { expect, test } from "vitest";
import * as stats from "../../src/stats/index.ts";
import { answer } from "./answer.ts";
import { expectClose } from "./close.ts";
import { pairs15, sleep } from "./samples.ts";

const { treatment, control } = pairs15;

test("standardised effects agree with their formulas in numpy", () => {
  const d = (standardiser: stats.Standardiser) =>
    answer(stats.cohensD(treatment, control, { standardiser })).value;
  const g = (standardiser: stats.Standardiser) =>
    answer(stats.hedgesG(treatment, control, { standardiser })).value;
  expectClose(d("pooled"), 0.2395046499865652);
  expectClose(d("second"), 0.24029350943601652);
  expectClose(d("differences"), 0.6781636474549037);
  expectClose(g("pooled"), 0.23302176567718555);
  expectClose(g("differences"), 0.6410597744010709);
});

test("the interval of d_z agrees with R's noncentral t", () => {
  const { low, high } = answer(stats.cohensDInterval(treatment, control, { standardiser: "differences" }));
  expectClose(low, 0.104555279738458, 1e-9);
  expectClose(high, 1.23241859226103, 1e-9);
});

test("Cliff's delta and P(X > Y) count pairs, ties half", () => {
  expectClose(answer(stats.cliffsDelta(treatment, control)).estimate, 0.14666666666666667);
  expectClose(answer(stats.probabilityOfSuperiority(treatment, control)).estimate, 0.5733333333333334);
  expect(answer(stats.probabilityOfSuperiority([1, 2], [1, 2])).estimate).toBe(0.5);
});

test("P(X > Y) keeps a width where one arm always wins", () => {
  const never = answer(stats.probabilityOfSuperiority([1, 2, 3], [4, 5, 6, 7]));
  const always = answer(stats.probabilityOfSuperiority([4, 5, 6, 7], [1, 2, 3]));
  expect(never).toMatchObject({ estimate: 0, low: 0 });
  expect(always).toMatchObject({ estimate: 1, high: 1 });
  expect(never.high).toBeGreaterThan(0.2);
  expectClose(always.low, 1 - never.high, 1e-9);
});

test("the ends of Fieller's interval are the ratios at which x − r y just reaches significance", () => {
  const { low, high, estimate } = answer(stats.ratioOfMeans(treatment, control, { paired: true }));
  expectClose(estimate, 1.032228959902642);
  for (const ratio of [low, high]) {
    const p = answer(
      stats.pairedTTest(
        treatment,
        control.map((y) => ratio * y),
      ),
    ).p;
    expectClose(p, 0.05, 1e-9);
  }
  const unpaired = answer(stats.ratioOfMeans(treatment, control));
  expect(unpaired.low).toBeLessThan(low);
  expect(unpaired.high).toBeGreaterThan(high);
});

test("a ratio to what may be zero is declined", () => {
  expect(stats.ratioOfMeans(sleep.second, [-1, 1, 0.5, -0.4])).toMatchObject({ known: false });
});

test("the mean difference is paired only if told", () => {
  expect(stats.meanDifference(treatment, control)).toEqual(stats.welchInterval(treatment, control));
  expect(stats.meanDifference(treatment, control, { paired: true })).toEqual(
    stats.pairedInterval(treatment, control),
  );
});

test("Pearson's correlation agrees with R's cor.test", () => {
  const r = answer(stats.correlation([1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 7, 8, 6, 5]));
  expectClose(r.estimate, 0.738095238095238);
  expectClose(r.p, 0.0365527610528608);
  expectClose(r.low, 0.0696466042965081);
  expectClose(r.high, 0.949117317393456);
});

test("the exponent of growth is the slope of scipy's linregress on the logarithms, with its t interval", () => {
  const agents = [100, 500, 1000, 2000, 5000];
  const growth = answer(stats.growthExponent(agents, [12.42, 60.71, 129.8, 295, 809.4]));
  expectClose(growth.estimate, 1.0713543033785948);
  expectClose(growth.low, 0.9937558606260277);
  expectClose(growth.high, 1.148952746131162);
  expect(stats.growthExponent(agents, [0, 1, 2, 3, 4])).toMatchObject({ known: false });
  expect(stats.growthExponent([1, 2], [1, 2])).toMatchObject({ known: false });
});

test("Spearman's rank correlation agrees with R's cor.test, exactly where n is small", () => {
  const rho = answer(stats.rankCorrelation([1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 7, 8, 6, 5]));
  expectClose(rho.value, 0.738095238095238);
  expectClose(rho.p, 0.0458333333333333, 1e-12);
  expect(answer(stats.rankCorrelation([1, 2, 3, 4], [10, 20, 30, 400])).p).toBe(2 / 24);
});
