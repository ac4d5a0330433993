import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample, sampleProblem } from "../sample.ts";
import { moments } from "../summaries/moments.ts";
import type { Interval, IntervalOptions } from "./interval.ts";
import { tLimits } from "./t-intervals.ts";

/** What a judge and people said. */
export interface Judged {
  /** People's labels, as numbers. */
  labels: Sample;
  /** The judge's word on what has a label, in the same order. */
  onLabelled: Sample;
  /** The judge's word on what has none. */
  onOthers: Sample;
  /** What each is a part of (a task with several tries), where what belongs together moves together. */
  clusters?: { labelled: ArrayLike<string>; others: ArrayLike<string> };
}

/** An interval, and what the judge was good for. */
export interface PredictionPowered extends Interval {
  /** How far the judge was relied on, from 0 to 1. */
  weight: number;
  /** So many labels alone would have given as narrow an interval. */
  worthLabels: number;
}

/**
 * The mean of what people would say of everything, from their labels on some and a judge's word on all. The judge may be
 * wrong in any way: its error is measured on the labelled part and taken off, so the interval holds whatever the judge is
 * like, if those were picked at random. `weight` is the one that makes it narrowest, 0 for a judge that tells nothing,
 * and then this is the t interval of the labels. From some 30 labels on: with fewer, weight and error share too little data.
 * With clusters, the errors of a cluster's members are summed before they are squared, and clusters are what is counted.
 * Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference", Science 382 (2023), 669-674;
 * the weight: Angelopoulos, Duchi and Zrnic, "PPI++" (2023).
 */
export function predictionPoweredInterval(
  { labels, onLabelled, onOthers, clusters }: Judged,
  options: IntervalOptions = {},
): Result<PredictionPowered> {
  const level = requireFraction(options.level ?? 0.95, "level");
  const side = options.side ?? "two-sided";
  const problem =
    pairProblem(labels, onLabelled, 2, true) ?? sampleProblem(onOthers, 2, "the judge's sample");
  if (problem) return unknownBecause(problem);
  if (allEqual(labels))
    return unknownBecause(`all ${labels.length} labels are equal, so their spread says nothing`);
  const [n, rest] = [labels.length, onOthers.length];
  const [own, judged, others] = [moments(labels), moments(onLabelled), moments(onOthers)];
  let together = 0;
  for (let i = 0; i < n; i++) together += (labels[i]! - own.mean) * (onLabelled[i]! - judged.mean);
  const all = moments([...Array.from(onLabelled), ...Array.from(onOthers)]);
  const best = all.variance === 0 ? 0 : together / (n - 1) / ((1 + n / rest) * all.variance);
  const weight = Math.max(0, Math.min(1, best));
  const errors = (factor: number): number[] => [
    ...Array.from(labels, (label, i) => (label - own.mean - factor * (onLabelled[i]! - judged.mean)) / n),
    ...Array.from(onOthers, (said) => (factor * (said - others.mean)) / rest),
  ];
  const names = clusters && [...Array.from(clusters.labelled), ...Array.from(clusters.others)];
  const counted = clusters ? new Set(Array.from(clusters.labelled)).size : n;
  if (counted < 2)
    return unknownBecause("all labels are of one cluster, and clusters are what is counted here");
  const [variance, alone] = [weight, 0].map((factor) => {
    const squares = summedSquares(errors(factor), names);
    return (squares * counted) / (counted - 1);
  }) as [number, number];
  const few = clusters && counted < n ? `${counted} clusters have labels` : `${n} labels`;
  const estimate = own.mean + weight * (others.mean - judged.mean);
  const limits = tLimits(estimate, Math.sqrt(variance), { df: counted - 1, level, side });
  return known({
    ...{ estimate, ...limits, level, side, method: "prediction-powered", weight },
    worthLabels: variance === 0 ? Number.POSITIVE_INFINITY : (n * alone) / variance,
    cautions: counted < 30 ? [`only ${few}; with fewer than 30 the interval may be too narrow`] : [],
  });
}

/** Of what belongs together, the sum is squared. */
function summedSquares(errors: readonly number[], names: readonly string[] | undefined): number {
  const sums = new Map<string | number, number>();
  for (const [i, error] of errors.entries()) {
    const name = names?.[i] ?? i;
    sums.set(name, (sums.get(name) ?? 0) + error);
  }
  let total = 0;
  for (const sum of sums.values()) total += sum * sum;
  return total;
}
