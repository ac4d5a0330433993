import type { ArmSet } from "../../../src/design/arm-set.ts";
import {
  binomialCdf,
  fisherTest,
  mannWhitneyTest,
  mcnemarTest,
  pairedTTest,
  type Result,
  signFlipTest,
  trimmedDifference,
  twoProportionTest,
  welchTest,
  wilcoxonTest,
} from "../../../src/stats/index.ts";

/** The p-values of the methods that `compare` might use instead of its own; those that have none claim nothing. */
export function rivalPs(set: ArmSet): Map<string, number> {
  const isPaired = set.keys.length > 0;
  const [ys, xs] = set.arms.map(({ observations }) => unitMeans(observations)) as [number[], number[]];
  const isRate = [...xs, ...ys].every((x) => x === 0 || x === 1);
  const isPositive = [...xs, ...ys].every((x) => x > 0);
  const logs = [xs, ys].map((values) => values.map(Math.log)) as [number[], number[]];
  const tests: Record<string, () => Result<{ p: number }>> = isRate
    ? isPaired
      ? pairedRates(xs, ys)
      : independentRates(xs, ys)
    : isPaired
      ? {
          "paired t": () => pairedTTest(xs, ys),
          ...(isPositive && { "paired t of logarithms": () => pairedTTest(...logs) }),
          Wilcoxon: () => wilcoxonTest(xs, ys),
          ...(xs.length <= 15 && { "sign flips": () => signFlipTest(xs.map((x, i) => x - ys[i]!)) }),
          "trimmed t, 20 %": () => trimmedDifference(xs, ys, { isPaired, trim: 0.2 }),
        }
      : {
          "Welch t": () => welchTest(xs, ys),
          ...(isPositive && { "Welch t of logarithms": () => welchTest(...logs) }),
          "pooled t": () => welchTest(xs, ys, { equalVariance: true }),
          "Mann-Whitney": () => mannWhitneyTest(xs, ys),
          "trimmed Welch t, 20 %": () => trimmedDifference(xs, ys, { trim: 0.2 }),
        };
  return new Map(
    Object.entries(tests).map(([name, test]) => {
      const answer = test();
      return [name, answer.known ? answer.p : 1];
    }),
  );
}

function pairedRates(xs: number[], ys: number[]): Record<string, () => Result<{ p: number }>> {
  const first = xs.filter((x, i) => x > ys[i]!).length;
  const second = xs.filter((x, i) => x < ys[i]!).length;
  return {
    "paired t": () => pairedTTest(xs, ys),
    McNemar: () => mcnemarTest(first, second),
    "McNemar, mid-p": () => {
      const n = first + second;
      const least = Math.min(first, second);
      const own = binomialCdf(least, n, 0.5) - (least > 0 ? binomialCdf(least - 1, n, 0.5) : 0);
      const exact = mcnemarTest(first, second);
      return exact.known ? { ...exact, p: Math.min(1, first === second ? 1 : exact.p - own) } : exact;
    },
  };
}

function independentRates(xs: number[], ys: number[]): Record<string, () => Result<{ p: number }>> {
  const [a, b] = [xs, ys].map((values) => values.filter((x) => x === 1).length) as [number, number];
  return {
    Fisher: () => fisherTest([a, xs.length - a], [b, ys.length - b]),
    "chi-square": () => twoProportionTest({ successes: a, n: xs.length }, { successes: b, n: ys.length }),
    "Welch t": () => welchTest(xs, ys),
  };
}

function unitMeans(observations: ArmSet["arms"][number]["observations"]): number[] {
  const units = new Map<string, number[]>();
  for (const { unit, value } of observations) units.set(unit!, [...(units.get(unit!) ?? []), value!]);
  return [...units.values()].map((values) => values.reduce((a, b) => a + b, 0) / values.length);
}
