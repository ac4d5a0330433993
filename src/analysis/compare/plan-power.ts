import {
  differences,
  minimumDetectableEffect,
  sampleSize,
  sampleSizeForProportions,
  standardDeviation,
  tTestPower,
} from "../../stats/index.ts";
import type { Power } from "./comparison.ts";
import type { Samples } from "./samples.ts";

const WANTED = 0.8;

interface Question {
  /** candidate − baseline, as seen. */
  difference: number;
  /** The smallest difference that matters, in the metric's unit. */
  margin: number | null;
  isRate: boolean;
  alpha: number;
  isOneSided: boolean;
  noun: string;
  /** Where pairs are clustered: these are what is counted, and this is the error of the difference. */
  clusters?: { n: number; noun: string; error: number };
  /** Of the difference, where something was taken out of it. */
  error?: number;
}

/** What the comparison could have found, and how many units would find what it is about. */
export function planPower(samples: Samples, question: Question): Power | null {
  const { difference, margin, isRate, alpha, isOneSided, clusters } = question;
  const spread = typicalSd(samples, question);
  const target = margin ?? Math.abs(difference);
  if (spread === null || spread.sd === 0 || target === 0) return null;
  const side = isOneSided ? ("one-sided" as const) : ("two-sided" as const);
  const design = {
    design: samples.isPaired ? ("paired" as const) : ("two-sample" as const),
    sd: spread.sd,
    alpha,
    side,
  };
  const detectable = minimumDetectableEffect(spread.n, WANTED, design);
  const atTarget = tTestPower(target, spread.n, design);
  const needed = neededN();
  return {
    n: clusters?.n ?? Math.min(samples.candidate.length, samples.baseline.length),
    noun: clusters?.noun ?? question.noun,
    atTarget: atTarget.known ? atTarget.value : null,
    target,
    targetIs: margin === null ? "seen" : "margin",
    detectable: detectable.known ? detectable.value : null,
    neededN: needed.known ? needed.n : null,
    alpha,
  };

  function neededN() {
    if (!isRate || samples.isPaired) return sampleSize(target, WANTED, design);
    const rate = samples.baseline.reduce((a, b) => a + b, 0) / samples.baseline.length;
    const other = rate + Math.sign(difference || 1) * target;
    const inside = other >= 0 && other <= 1 ? other : rate - Math.sign(difference || 1) * target;
    return sampleSizeForProportions(rate, inside, { power: WANTED, alpha, side });
  }
}

/** Of a difference, or of a value; and the n that two unequal arms are worth. */
function typicalSd({ isPaired, candidate, baseline }: Samples, { clusters, error }: Question) {
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
