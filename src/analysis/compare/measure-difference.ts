import {
  type BootstrapMethod,
  bootstrapDifferenceInterval,
  bootstrapPairedInterval,
  clusteredInterval,
  differences,
  fisherTest,
  hierarchicalBootstrapDifference,
  type Interval,
  known,
  labelPermutationTest,
  mannWhitneyTest,
  mcnemarTest,
  pairedInterval,
  pairedTTest,
  proportionDifferenceInterval,
  type Result,
  type Side,
  signFlipTest,
  type TestResult,
  tCdf,
  welchInterval,
  welchTest,
  wilcoxonTest,
} from "../../stats/index.ts";
import { type PairedOutcomes, pairedRateInterval } from "../../stats/intervals/paired-rate-interval.ts";
import { FEW, type MethodName } from "./choose-method.ts";
import type { Samples } from "./samples.ts";

export interface MeasureOptions {
  alpha: number;
  side: Side;
  resamples: number;
  seed: number;
  /** Whether a test that assumes less stands beside t. */
  withCheck: boolean;
}

/** An interval for candidate − baseline and a test that it is 0. */
export interface Measured {
  interval: Result<Interval>;
  test: Result<TestResult>;
  /** A test that assumes less, where there are few values. */
  check: Result<TestResult> | null;
}

/** Does what a method's name says, with the statistics room. */
export function measureDifference(samples: Samples, name: MethodName, options: MeasureOptions): Measured {
  const { alpha, side, resamples, seed, withCheck } = options;
  const { candidate: xs, baseline: ys, isPaired } = samples;
  const asked = { level: 1 - alpha, side };
  const t = () => (isPaired ? pairedInterval(xs, ys, asked) : welchInterval(xs, ys, asked));
  const tTest = () => (isPaired ? pairedTTest(xs, ys, { side }) : welchTest(xs, ys, { side }));
  const permutation = () => {
    const sampled = { side, resamples: Math.max(99, resamples - 1), seed };
    return isPaired ? signFlipTest(differences(xs, ys), sampled) : labelPermutationTest(xs, ys, sampled);
  };
  const isSmall = Math.min(xs.length, ys.length) < FEW;
  switch (name) {
    case "t":
      return { interval: t(), test: tTest(), check: isSmall && withCheck ? permutation() : null };
    case "permutation":
      return { interval: t(), test: permutation(), check: null };
    case "wilcoxon":
      return { interval: t(), test: wilcoxonTest(xs, ys, { side }), check: null };
    case "mannwhitney":
      return { interval: t(), test: mannWhitneyTest(xs, ys, { side }), check: null };
    case "bootstrap-t":
    case "bca":
    case "percentile": {
      const method: BootstrapMethod = name === "bootstrap-t" ? "studentised" : name;
      const drawn = { ...asked, method, resamples, seed };
      const interval = isPaired
        ? bootstrapPairedInterval(xs, ys, drawn)
        : bootstrapDifferenceInterval(xs, ys, drawn);
      return { interval, test: permutation(), check: null };
    }
    case "hierarchical": {
      const { candidate, baseline } = samples.rollouts;
      const interval = hierarchicalBootstrapDifference(candidate, baseline, { ...asked, resamples, seed });
      return { interval, test: invertedTest(interval), check: permutation() };
    }
    case "clustered-t":
      return clustered(samples, options);
    case "mcnemar":
      return paired01(samples, options);
    case "fisher":
      return independent01(samples, options);
  }
}

/** The test that agrees with a bootstrap's interval: it rejects where the interval leaves 0 out. */
function invertedTest(interval: ReturnType<typeof hierarchicalBootstrapDifference>): Result<TestResult> {
  if (!interval.known) return interval;
  const { estimate, p, side, method } = interval;
  return known({ statistic: estimate, p, side, method, cautions: [] });
}

function clustered({ candidate, baseline, clusters }: Samples, { alpha, side }: MeasureOptions): Measured {
  const interval = clusteredInterval(differences(candidate, baseline), clusters, { level: 1 - alpha, side });
  if (!interval.known) return { interval, test: interval, check: null };
  const statistic = interval.estimate / interval.error;
  const [below, above] = [tCdf(statistic, interval.df), tCdf(-statistic, interval.df)];
  const p = side === "greater" ? above : side === "less" ? below : 2 * Math.min(below, above);
  const test = known({ statistic, df: interval.df, p, side, method: interval.method, cautions: [] });
  return { interval, test, check: null };
}

function paired01({ candidate, baseline }: Samples, { alpha, side }: MeasureOptions): Measured {
  const outcomes: PairedOutcomes = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (let i = 0; i < candidate.length; i++) {
    if (candidate[i] === 1) outcomes[baseline[i] === 1 ? "both" : "onlyFirst"]++;
    else outcomes[baseline[i] === 1 ? "onlySecond" : "neither"]++;
  }
  const differing = outcomes.onlyFirst + outcomes.onlySecond;
  const test =
    differing === 0
      ? known({ statistic: 0, p: 1, side, method: "McNemar, exact", cautions: [] })
      : mcnemarTest(outcomes.onlyFirst, outcomes.onlySecond, { side });
  return {
    interval: oneSided((level) => pairedRateInterval(outcomes, { level }), alpha, side),
    test,
    check: null,
  };
}

function independent01({ candidate, baseline }: Samples, { alpha, side }: MeasureOptions): Measured {
  const tally = (xs: Float64Array) => ({ successes: xs.reduce((a, b) => a + b, 0), n: xs.length });
  const [a, b] = [tally(candidate), tally(baseline)];
  const test = fisherTest([a.successes, a.n - a.successes], [b.successes, b.n - b.successes], { side });
  const interval = oneSided((level) => proportionDifferenceInterval(a, b, { level }), alpha, side);
  return { interval: test.known ? interval : test, test, check: null };
}

/** One end of a two-sided interval at 1 − 2α is the end of a one-sided one at 1 − α. */
export function oneSided(
  at: (level: number) => Result<Interval>,
  alpha: number,
  side: Side,
): Result<Interval> {
  const interval = at(side === "two-sided" ? 1 - alpha : 1 - 2 * alpha);
  if (!interval.known || side === "two-sided") return interval;
  const open = side === "greater" ? { high: Number.POSITIVE_INFINITY } : { low: Number.NEGATIVE_INFINITY };
  return { ...interval, ...open, level: 1 - alpha, side };
}
