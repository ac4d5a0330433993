import {
  differences,
  differingShare,
  minimumDetectableEffect,
  type PairedOutcomes,
  type RateSetting,
  type Result,
  ratePower,
  rateSampleSize,
  sampleSize,
  smallestRateEffect,
  standardDeviation,
  trimmedDifference,
  tTestPower,
  type Value,
} from "../../stats/index.ts";
import type { MethodName, Power } from "./comparison.ts";
import { pairedOutcomes, type Samples } from "./samples.ts";

const WANTED = 0.8;

interface Question {
  /** candidate − baseline, as seen. */
  difference: number;
  /** The smallest difference that matters, in the metric's unit. */
  margin: number | null;
  method: MethodName;
  /** The share that a trimmed mean leaves out at either end. */
  trim: number;
  /** The baseline's mean, where the samples are logarithms; else null. */
  base: number | null;
  alpha: number;
  isOneSided: boolean;
  noun: string;
  /** Where pairs are clustered: these are what is counted, and this is the error of the difference. */
  clusters?: { n: number; noun: string; error: number };
  /** Of the difference, where something was taken out of it. */
  error?: number;
}

/** How a test of the kind that was made answers questions about its power. */
interface Planner {
  detectable: Result<Value>;
  at(effect: number): Result<Value>;
  needed(effect: number): Result<{ n: number }>;
}

/** What the comparison could have found, and how many units would find what it is about: by the power of its own test. */
export function planPower(samples: Samples, question: Question): Power | null {
  const { difference, margin, base, clusters } = question;
  const target = margin ?? Math.abs(difference);
  const planner = question.method === "score" ? ratePlanner(samples, question) : tPlanner(samples, question);
  if (planner === null || target === 0) return null;
  // On the scale of ratios the test is of logarithms, and what people read is in the metric's unit.
  const sign = difference < 0 && target < (base ?? 0) ? -1 : 1;
  const inward = (effect: number) => (base === null ? effect : Math.abs(Math.log1p((sign * effect) / base)));
  const outward = (effect: number) => (base === null ? effect : base * Math.abs(Math.expm1(sign * effect)));
  const atTarget = planner.at(inward(target));
  const needed = planner.needed(inward(target));
  return {
    n: clusters?.n ?? Math.min(samples.candidate.length, samples.baseline.length),
    noun: clusters?.noun ?? question.noun,
    atTarget: atTarget.known ? atTarget.value : null,
    target,
    targetIs: margin === null ? "seen" : "margin",
    detectable: planner.detectable.known ? outward(planner.detectable.value) : null,
    neededN: needed.known ? needed.n : null,
    alpha: question.alpha,
  };
}

function tPlanner(samples: Samples, question: Question): Planner | null {
  const { alpha, isOneSided } = question;
  const spread = typicalSd(samples, question);
  if (spread === null || spread.sd === 0) return null;
  const design = {
    design: samples.isPaired ? ("paired" as const) : ("two-sample" as const),
    sd: spread.sd,
    trim: question.method === "trimmed" ? question.trim : 0,
    alpha,
    side: isOneSided ? ("one-sided" as const) : ("two-sided" as const),
  };
  return {
    detectable: minimumDetectableEffect(spread.n, WANTED, design),
    at: (effect) => tTestPower(effect, spread.n, design),
    needed: (effect) => sampleSize(effect, WANTED, design),
  };
}

/** Rates as they were seen: the baseline's, and how often only one of a pair passed. */
function ratePlanner(samples: Samples, { difference, alpha, isOneSided }: Question): Planner | null {
  const { isPaired, baseline, candidate } = samples;
  const n = Math.round(2 / (1 / baseline.length + 1 / candidate.length));
  const seen = isPaired ? pairedOutcomes(samples) : null;
  if (seen && seen.onlyFirst + seen.onlySecond === 0) return null;
  const rate = baseline.reduce((a, b) => a + b, 0) / baseline.length;
  const sign = Math.sign(difference) || 1;
  const setting = (effect: number): RateSetting => {
    const side = isOneSided ? "one-sided" : "two-sided";
    const isInside = rate + sign * effect >= 0 && rate + sign * effect <= 1;
    const shift = isInside ? sign * effect : -sign * effect;
    if (seen) return { effect, alpha, side, differing: differingAt(seen, rate, shift) };
    return { effect: shift, alpha, side, rate };
  };
  return {
    detectable: smallestRateEffect(n, WANTED, setting, Math.max(rate, 1 - rate)),
    at: (effect) => ratePower(n, setting(effect)),
    needed: (effect) => rateSampleSize(WANTED, setting(effect)),
  };
}

/**
 * How many pairs differ if the candidate's rate is the baseline's and so much more. As many as were seen, or, of a difference that is
 * smaller than the one seen, as many as pairs that hold together as these would have.
 */
export function differingAt(seen: PairedOutcomes, rate: number, shift: number): number {
  const { both, neither, onlyFirst, onlySecond } = seen;
  const n = both + neither + onlyFirst + onlySecond;
  if (Math.abs(shift) >= Math.abs(onlyFirst - onlySecond) / n) return (onlyFirst + onlySecond) / n;
  return differingShare(seen, [rate + shift, rate]);
}

/** Of a difference, or of a value; and the n that two unequal arms are worth. */
function typicalSd(
  { isPaired, candidate, baseline }: Samples,
  { clusters, method, trim, error: given }: Question,
) {
  const trimmed = method === "trimmed" ? trimmedDifference(candidate, baseline, { isPaired, trim }) : null;
  const error = trimmed?.known ? trimmed.error : given;
  if (isPaired) {
    const n = candidate.length;
    if (error !== undefined) return { sd: error * Math.sqrt(n), n };
    if (clusters) return { sd: clusters.error * Math.sqrt(clusters.n), n: clusters.n };
    const sd = standardDeviation(differences(candidate, baseline));
    return sd.known ? { sd: sd.value, n } : null;
  }
  const [a, b] = [standardDeviation(candidate), standardDeviation(baseline)];
  if (!a.known || !b.known) return null;
  const n = 2 / (1 / candidate.length + 1 / baseline.length);
  if (error !== undefined) return { sd: error * Math.sqrt(n / 2), n };
  return { sd: Math.sqrt((a.value ** 2 + b.value ** 2) / 2), n };
}
