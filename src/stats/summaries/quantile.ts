import { known, type Result, unknownBecause, type Value } from "../result.ts";
import { type Sample, sampleProblem } from "../sample.ts";

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
  return known({ value: quantileOfSorted(Float64Array.from(xs).sort(), p, definition) });
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
