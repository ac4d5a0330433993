import { tCdf } from "../distributions/students-t.ts";
import { differences } from "../effects/differences.ts";
import { requireFraction, type Side } from "../options.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { pairProblem, type Sample } from "../sample.ts";
import { sidedP } from "../tests/p-value.ts";
import type { Limits } from "./bootstrap-limits.ts";
import type { Interval } from "./interval.ts";
import { tLimits } from "./t-intervals.ts";

/** What is left out at either end: near the mean in efficiency for normal values, far ahead of it for heavy tails. */
export const TRIMMED = 0.15;

/** An interval for the difference of two trimmed means and the p of the test that it inverts. */
export interface TrimmedDifference extends Interval {
  p: number;
  error: number;
  df: number;
}

export interface TrimmedOptions {
  level?: number;
  side?: Side;
  isPaired?: boolean;
  /** The share that is left out at either end; .15 unless told. */
  trim?: number;
  /**
   * The first so many pairs decided how many there are. The error is then no less than those say, with their degrees of
   * freedom: C. Stein, Ann. Math. Statist. 16 (1945), 243-258.
   */
  pilot?: number | undefined;
}

/** A trimmed mean, its standard error from the winsorised values, and how many values are left. */
export interface TrimmedMoments {
  mean: number;
  error: number;
  kept: number;
}

/** How many of n values are left out at either end; two are always kept. */
export function trimmedCount(n: number, trim: number = TRIMMED): number {
  return Math.min(Math.floor(trim * n), Math.floor((n - 2) / 2));
}

/** Of values in ascending order. */
export function trimmedMoments(sorted: ArrayLike<number>, trim: number): TrimmedMoments {
  const n = sorted.length;
  const cut = trimmedCount(n, trim);
  const kept = n - 2 * cut;
  const [low, high] = [sorted[cut]!, sorted[n - 1 - cut]!];
  let sum = 0;
  for (let i = cut; i < n - cut; i++) sum += sorted[i]!;
  const mean = sum / kept;
  const centre = (sum + cut * (low + high)) / n;
  let squares = cut * ((low - centre) ** 2 + (high - centre) ** 2);
  for (let i = cut; i < n - cut; i++) squares += (sorted[i]! - centre) ** 2;
  return { mean, error: Math.sqrt(squares / (kept * (kept - 1))), kept };
}

/**
 * The trimmed mean of one sample and its two-sided limits, by Student's t with as many degrees of freedom as the values that
 * are left have. Source: J. W. Tukey and D. H. McLaughlin, Sankhya A 25 (1963), 331-352.
 */
export function trimmedInterval(
  xs: Sample,
  { trim = TRIMMED, level = 0.95 }: Pick<TrimmedOptions, "trim" | "level"> = {},
): Limits & { estimate: number } {
  const { mean, error, kept } = trimmedMoments(Float64Array.from(xs).sort(), trim);
  return { estimate: mean, ...tLimits(mean, error, { df: kept - 1, level, side: "two-sided" }) };
}

/**
 * The difference of two trimmed means, x − y; of pairs, the trimmed mean of their differences. Where values lie
 * symmetrically it is the difference of the means, known better than by means if tails are heavy. Sources: pairs, J. W. Tukey
 * and D. H. McLaughlin, Sankhya A 25 (1963), 331-352; independent samples, K. K. Yuen, Biometrika 61 (1974), 165-170.
 */
export function trimmedDifference(
  xs: Sample,
  ys: Sample,
  options: TrimmedOptions = {},
): Result<TrimmedDifference> {
  const { side = "two-sided", isPaired = false, trim = TRIMMED, pilot } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  requireFraction(2 * trim, "twice the trimmed proportion");
  const problem = pairProblem(xs, ys, 2, isPaired);
  if (problem) return unknownBecause(problem);
  const { estimate, error, df } = isPaired ? ofPairs(xs, ys, { trim, pilot }) : ofGroups(xs, ys, trim);
  if (!(error > 0)) return unknownBecause("the middle values are all equal, so their spread says nothing");
  const t = estimate / error;
  return known({
    ...{ estimate, ...tLimits(estimate, error, { df, level, side }), level, side, error, df },
    p: sidedP(tCdf(t, df), tCdf(-t, df), side),
    method: isPaired ? "trimmed t" : "trimmed Welch t",
    cautions: [],
  });
}

function ofPairs(xs: Sample, ys: Sample, { trim, pilot }: { trim: number; pilot: number | undefined }) {
  const all = differences(xs, ys);
  const first = pilot === undefined ? null : trimmedMoments(all.slice(0, pilot).sort(), trim);
  const { mean, error, kept } = trimmedMoments(all.sort(), trim);
  if (first === null) return { estimate: mean, error, df: kept - 1 };
  const promised = first.error * Math.sqrt(pilot! / all.length);
  return { estimate: mean, error: Math.max(error, promised), df: first.kept - 1 };
}

function ofGroups(xs: Sample, ys: Sample, trim: number) {
  const [a, b] = [xs, ys].map((values) => trimmedMoments(Float64Array.from(values).sort(), trim));
  const [va, vb] = [a!.error ** 2, b!.error ** 2];
  return {
    estimate: a!.mean - b!.mean,
    error: Math.sqrt(va + vb),
    df: (va + vb) ** 2 / (va ** 2 / (a!.kept - 1) + vb ** 2 / (b!.kept - 1)),
  };
}
