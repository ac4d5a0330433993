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
 * Sources: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference", Science 382 (2023), 669-674;
 * the weight: Angelopoulos, Duchi and Zrnic, "PPI++" (2023).
 */
export function predictionPoweredInterval(
  { labels, onLabelled, onOthers }: Judged,
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
  const left = moments(Array.from(labels, (label, i) => label - weight * onLabelled[i]!));
  const variance = left.variance / n + (weight ** 2 * others.variance) / rest;
  const estimate = own.mean + weight * (others.mean - judged.mean);
  const limits = tLimits(estimate, Math.sqrt(variance), { df: n - 1, level, side });
  return known({
    ...{ estimate, ...limits, level, side, method: "prediction-powered", weight },
    worthLabels: variance === 0 ? Number.POSITIVE_INFINITY : own.variance / variance,
    cautions: n < 30 ? [`only ${n} labels; with fewer than 30 the interval may be too narrow`] : [],
  });
}
