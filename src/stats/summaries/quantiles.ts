import { requireFraction } from "../options.ts";
import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";
import { sum } from "./moments.ts";

/**
 * The nine definitions of a sample quantile, by the names numpy gives them; in R they are types 1 to 9 in this
 * order. `linear` is the default of R, numpy and spreadsheets; `median-unbiased` is what Hyndman and Fan advise.
 */
export type QuantileDefinition =
  | "inverted-cdf"
  | "averaged-inverted-cdf"
  | "closest-observation"
  | "interpolated-inverted-cdf"
  | "hazen"
  | "weibull"
  | "linear"
  | "median-unbiased"
  | "normal-unbiased";

/** The two numbers that place each continuous definition: position = p · (n + 1 − a − b) + a. */
const PLACES: Partial<Record<QuantileDefinition, readonly [number, number]>> = {
  "interpolated-inverted-cdf": [0, 1],
  hazen: [0.5, 0.5],
  weibull: [0, 0],
  linear: [1, 1],
  "median-unbiased": [1 / 3, 1 / 3],
  "normal-unbiased": [3 / 8, 3 / 8],
};

/**
 * The value below which a share p of the sample lies, by a named definition: they differ by as much as the
 * distance of neighbours, which at ten runs is the whole story of a p95.
 * Source: R. J. Hyndman and Y. Fan, The American Statistician 50 (1996), 361-365. O(n log n).
 */
export function quantile(
  xs: Sample,
  p: number,
  { definition = "linear" }: { definition?: QuantileDefinition } = {},
): Result<Value> {
  const problem = sampleProblem(xs, 1);
  if (problem) return unknownBecause(problem);
  if (!(p >= 0 && p <= 1))
    return unknownBecause(`a quantile is asked for at a share between 0 and 1, not ${p}`);
  return known({ value: quantileOfSorted(new Float64Array(xs).sort(), p, definition) });
}

/** The same for values that are sorted and checked. */
export function quantileOfSorted(
  sorted: Sample,
  p: number,
  definition: QuantileDefinition = "linear",
): number {
  const n = sorted.length;
  const at = (rank: number) => sorted[Math.min(n, Math.max(1, rank)) - 1]!;
  const place = PLACES[definition];
  if (place) {
    const position = place[0] + p * (n + 1 - place[0] - place[1]);
    const rank = Math.floor(position + 4 * Number.EPSILON);
    const share = position - rank;
    const low = at(rank);
    return Math.abs(share) < 4 * Number.EPSILON ? low : low + share * (at(rank + 1) - low);
  }
  const position = definition === "closest-observation" ? n * p - 0.5 : n * p;
  const rank = Math.floor(position + 4 * Number.EPSILON);
  const exact = Math.abs(position - rank) < 4 * Number.EPSILON;
  if (definition === "averaged-inverted-cdf" && exact) return (at(rank) + at(rank + 1)) / 2;
  if (definition === "closest-observation" && exact) return rank % 2 === 0 ? at(rank) : at(rank + 1);
  return exact && definition !== "averaged-inverted-cdf" ? at(rank) : at(rank + 1);
}

/** The middle value, or the mean of the two in the middle: half the runs lie on each side. */
export function median(xs: Sample): Result<Value> {
  return quantile(xs, 0.5);
}

/** By how many robust standard deviations a value must stand apart. */
const FAR = 3.5;
const MAD_TO_SD = 1.4826;

/**
 * Values far from the rest, by their distance from the median in units of the median absolute deviation; to be
 * looked at, never to be dropped. Source: B. Iglewicz and D. C. Hoaglin, How to Detect and Handle Outliers (1993).
 */
export function findOutliers(xs: Sample): number[] {
  const middle = median(xs);
  if (xs.length < 5 || !middle.known) return [];
  const distances = new Float64Array(xs).map((x) => Math.abs(x - middle.value));
  const spread = median(distances);
  if (!spread.known || spread.value === 0) return [];
  const limit = FAR * MAD_TO_SD * spread.value;
  const far: number[] = [];
  for (let i = 0; i < distances.length; i++) if (distances[i]! > limit) far.push(i);
  return far;
}

/**
 * The mean without the lowest and the highest `proportion` of the values (counts rounded down, as scipy's
 * trim_mean and rliable): near the mean in efficiency, near the median in robustness.
 */
export function trimmedMean(xs: Sample, proportion: number): Result<Value> {
  requireFraction(2 * proportion, "twice the trimmed proportion");
  const problem = sampleProblem(xs, 1);
  if (problem) return unknownBecause(problem);
  const cut = Math.floor(proportion * xs.length);
  const kept = Float64Array.from(xs)
    .sort()
    .subarray(cut, xs.length - cut);
  return known({ value: sum(kept) / kept.length });
}

/**
 * The mean of the middle half (IQM), over all runs of all tasks. On scores that are only 0 or 1 it says nothing:
 * it sticks at 0 or 1 until a quarter of the runs change, so there it is declined.
 * Source: R. Agarwal et al., "Deep RL at the edge of the statistical precipice", NeurIPS 2021.
 */
export function interquartileMean(xs: Sample): Result<Value> {
  let binary = xs.length > 0;
  for (let i = 0; i < xs.length && binary; i++) binary = xs[i] === 0 || xs[i] === 1;
  if (binary)
    return unknownBecause(
      "on scores that are only 0 or 1 the mean of the middle half says nothing: use the mean",
    );
  return trimmedMean(xs, 0.25);
}
