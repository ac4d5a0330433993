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
  mannWhitneyTest,
  mcnemarTest,
  pairedInterval,
  pairedRateDifference,
  pairedTTest,
  permutationDifference,
  type Result,
  rateDifference,
  type Side,
  signFlipDifference,
  signFlipTest,
  type TestResult,
  tCdf,
  trimmedDifference,
  welchInterval,
  welchTest,
  wilcoxonTest,
} from "../../stats/index.ts";
import { FEW } from "./choose-method.ts";
import type { MethodName } from "./comparison.ts";
import { pairedOutcomes, type Samples } from "./samples.ts";

export interface MeasureOptions {
  alpha: number;
  side: Side;
  resamples: number;
  seed: number;
  /** Whether a test that assumes less stands beside t, and one of means beside trimmed ones. */
  withCheck: boolean;
  /** Of trimmed means of independent groups: whether relabellings say what chance does. */
  isPermuted: boolean;
  /** Whether t has to agree with relabellings. */
  isGuarded: boolean;
  /** The share that trimmed means leave out at either end. */
  trim: number;
  /** See `ArmSet.pilot`. */
  pilot?: number | undefined;
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
  const { alpha, side, resamples, seed, withCheck, trim, pilot } = options;
  const { candidate: xs, baseline: ys, isPaired } = samples;
  const asked = { level: 1 - alpha, side };
  const drawn = { ...asked, resamples, seed };
  const t = () => (isPaired ? pairedInterval(xs, ys, asked) : welchInterval(xs, ys, asked));
  const tTest = () => (isPaired ? pairedTTest(xs, ys, { side }) : welchTest(xs, ys, { side }));
  const signFlip = () =>
    signFlipTest(differences(xs, ys), { side, resamples: Math.max(99, resamples - 1), seed });
  const permutation = () =>
    permutationDifference(xs, ys, { ...drawn, resamples: Math.max(99, resamples - 1) });
  switch (name) {
    case "t": {
      const check = withCheck && isPaired && xs.length < FEW ? signFlip() : null;
      return { interval: t(), test: tTest(), check };
    }
    case "trimmed": {
      const isPermuted = options.isPermuted && !isPaired;
      const byT = () => trimmedDifference(xs, ys, { ...asked, isPaired, trim, pilot });
      const answer = isPermuted
        ? permutationDifference(xs, ys, { ...drawn, resamples: Math.max(99, resamples - 1), trim })
        : byT();
      const decisive = isPermuted && options.isGuarded ? whatBothSay(answer, byT()) : answer;
      return { ...inverted(decisive), check: withCheck ? tTest() : null };
    }
    case "permutation":
      return inverted(
        isPaired
          ? signFlipDifference(differences(xs, ys), { ...drawn, resamples: Math.max(99, resamples - 1) })
          : options.isGuarded
            ? whatBothSay(permutation(), welchAnswer(xs, ys, asked))
            : permutation(),
      );
    case "wilcoxon":
      return { interval: t(), test: wilcoxonTest(xs, ys, { side }), check: null };
    case "mannwhitney":
      return { interval: t(), test: mannWhitneyTest(xs, ys, { side }), check: null };
    case "bootstrap-t":
    case "bca":
    case "percentile": {
      const method: BootstrapMethod = name === "bootstrap-t" ? "studentised" : name;
      const interval = isPaired
        ? bootstrapPairedInterval(xs, ys, { ...drawn, method })
        : bootstrapDifferenceInterval(xs, ys, { ...drawn, method });
      return { interval, test: isPaired ? signFlip() : inverted(permutation()).test, check: null };
    }
    case "hierarchical": {
      const { candidate, baseline } = samples.rollouts;
      return { ...inverted(hierarchicalBootstrapDifference(candidate, baseline, drawn)), check: signFlip() };
    }
    case "clustered-t":
      return clustered(samples, options);
    case "score":
      return inverted(
        isPaired ? pairedRateDifference(pairedOutcomes(samples), asked) : independent01(samples, asked),
      );
    case "mcnemar": {
      const outcomes = pairedOutcomes(samples);
      const { onlyFirst, onlySecond } = outcomes;
      const isAlike = onlyFirst + onlySecond === 0;
      const { interval, test } = inverted(pairedRateDifference(outcomes, asked));
      return { interval, test: isAlike ? test : mcnemarTest(onlyFirst, onlySecond, { side }), check: null };
    }
    case "fisher": {
      const [a, b] = [tally(xs), tally(ys)];
      const test = fisherTest([a.successes, a.n - a.successes], [b.successes, b.n - b.successes], { side });
      const { interval, test: other } = inverted(independent01(samples, asked));
      return { interval, test: test.known ? test : other, check: null };
    }
  }
}

/** How it was measured, in words. */
export function methodName({ interval, test }: Measured, name: string): string {
  if (!interval.known || !test.known) return name;
  const isOne = [interval.method, `paired ${interval.method}`].includes(test.method);
  return isOne ? test.method : `interval: ${interval.method}; p: ${test.method}`;
}

/** An interval and the p of the test that it inverts. */
type Answer = Result<Interval & { p: number; floor?: number }>;

function welchAnswer(xs: Float64Array, ys: Float64Array, asked: { level: number; side: Side }): Answer {
  const [interval, test] = [welchInterval(xs, ys, asked), welchTest(xs, ys, { side: asked.side })];
  if (!interval.known) return interval;
  return test.known ? known({ ...interval, p: test.p }) : test;
}

/** All that either of two methods leaves possible: a difference is sure where both say so. */
function whatBothSay(one: Answer, other: Answer): Answer {
  if (!one.known || !other.known) return one;
  return known({
    ...one,
    ...{ low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) },
    p: Math.max(one.p, other.p),
    method: `${one.method}, and ${other.method}`,
  });
}

/** The test that agrees with an interval, since the interval is what it does not reject. */
function inverted(answer: Answer): Measured {
  if (!answer.known) return { interval: answer, test: answer, check: null };
  const { estimate, p, floor, side, method, cautions } = answer;
  const test = known({
    statistic: estimate,
    p,
    side,
    method,
    cautions,
    ...(floor !== undefined && { floor }),
  });
  return { interval: answer, test, check: null };
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

function independent01({ candidate, baseline }: Samples, asked: { level: number; side: Side }) {
  return rateDifference(tally(candidate), tally(baseline), asked);
}

function tally(xs: Float64Array): { successes: number; n: number } {
  return { successes: Math.round(xs.reduce((a, b) => a + b, 0)), n: xs.length };
}
