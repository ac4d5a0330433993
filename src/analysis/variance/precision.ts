import { numberText } from "../../core/number-text.ts";
import {
  chi2Quantile,
  known,
  moments,
  type Result,
  tInterval,
  tQuantile,
  unknownBecause,
} from "../../stats/index.ts";
import { FastRandom } from "../../stats/resampling/fast-random.ts";
import { quantileOfSorted } from "../../stats/summaries/quantiles.ts";

export interface PrecisionOptions {
  /** The half-width sought, as a share of the reference. */
  threshold: number;
  /** What half-widths are relative to; the size of the mean unless told. */
  effect?: number;
  seed?: number;
}

/** Relative half-widths of the 95 % interval of the mean, among resampled studies of n seeds. */
export interface PrecisionPoint {
  n: number;
  middle: number;
  /** Nine in ten such studies are above `low`, nine in ten below `high`. */
  low: number;
  high: number;
}

export interface Precision {
  n: number;
  mean: number;
  sd: number;
  /** What half-widths are relative to. */
  reference: number;
  /** Of the pilot itself. */
  halfWidth: number;
  points: PrecisionPoint[];
  /** The n from which on nine in ten studies reach the threshold; null where that is out of sight. */
  enough: number | null;
  /** The same if the true spread is at the ends of its 80 % interval: a pilot knows its spread only roughly. */
  enoughRange: readonly [number, number] | null;
}

const EVERY = 60;
const OUT_OF_SIGHT = 100_000;
const RESAMPLED_UP_TO = 1000;
const STUDIES = 2000;

/**
 * How precisely n seeds know the mean: the half-width of the 95 % t interval against n, in studies drawn with
 * replacement from the pilot's values, so that neither the order of the runs nor the overlap of subsets counts.
 * Unlike the coefficient of variation it falls as seeds are added, which is what the question is about.
 */
export function precisionOf(values: readonly number[], options: PrecisionOptions): Result<Precision> {
  const interval = tInterval(values);
  if (!interval.known) return unknownBecause(interval.why);
  const { n, mean, variance } = moments(values);
  const sd = Math.sqrt(variance);
  const halfWidth = interval.high - mean;
  const reference = options.effect ?? Math.abs(mean);
  if (options.effect === undefined && interval.low <= 0 && interval.high >= 0)
    return unknownBecause(
      `the mean, ${numberText(mean, 3)} ± ${numberText(halfWidth, 3)}, can't be told from 0, and nothing is relative to 0: give the effect that matters`,
    );
  const sure = (quantile: number) => (n - 1) / chi2Quantile(quantile, n - 1);
  const needed = seedsFor(options.threshold, (sd / reference) * Math.sqrt(sure(0.1)));
  const last = Math.min(OUT_OF_SIGHT, Math.max(n, Math.ceil(1.2 * needed)));
  // Sorted, so that it makes no difference which run ended first.
  const deviations = Float64Array.from(values, (value) => value - mean).sort();
  const random = new FastRandom(options.seed ?? 1, "precision");
  const points = pointsAt(deviations, sizes(last), { sd, reference, random });
  const enough = firstEnough(points, options.threshold);
  const range = ([0.9, 0.1] as const).map((q) => Math.max(2, Math.ceil((enough ?? 0) * sure(q))));
  return known({
    ...{ n, mean, sd, reference, halfWidth, points, enough },
    enoughRange: enough === null ? null : ([range[0]!, range[1]!] as const),
  });
}

interface Spread {
  sd: number;
  reference: number;
  random: FastRandom;
}

/**
 * What half-widths studies of each size have; `deviations` are the pilot's values from their mean. A study of n is
 * the beginning of one of n + 1, so that the curve over n is smooth even where one outlier decides.
 */
function pointsAt(deviations: Float64Array, ns: readonly number[], { sd, reference, random }: Spread) {
  const scale = (n: number) => -tQuantile(0.025, n - 1) / Math.sqrt(n) / reference;
  const drawn = ns.filter((n) => n <= RESAMPLED_UP_TO);
  const sds = resampledSds(deviations, drawn, random);
  return ns.map((n, k): PrecisionPoint => {
    const at = (q: number) =>
      scale(n) *
      (k < drawn.length ? quantileOfSorted(sds[k]!, q) : sd * Math.sqrt(chi2Quantile(q, n - 1) / (n - 1)));
    return { n, middle: at(0.5), low: at(0.1), high: at(0.9) };
  });
}

/** Standard deviations of studies of each size, sorted. */
function resampledSds(deviations: Float64Array, ns: readonly number[], random: FastRandom): Float64Array[] {
  // Draws with replacement spread by a factor of (N − 1)/N too little.
  const correction = deviations.length / (deviations.length - 1);
  const sds = ns.map(() => new Float64Array(STUDIES));
  for (let b = 0; b < STUDIES; b++) {
    let [total, squares, n] = [0, 0, 0];
    for (let k = 0; k < ns.length; k++) {
      for (; n < ns[k]!; n++) {
        const deviation = deviations[random.below(deviations.length)]!;
        total += deviation;
        squares += deviation * deviation;
      }
      sds[k]![b] = Math.sqrt((correction * Math.max(0, squares - (total * total) / n)) / (n - 1));
    }
  }
  return sds.map((list) => list.sort());
}

/** Every n up to 60, then steps of an eighth. */
function sizes(last: number): number[] {
  const all: number[] = [];
  for (let n = 2; n <= last; n = n < EVERY ? n + 1 : Math.ceil(n * 1.125)) all.push(n);
  if (all.at(-1)! < last) all.push(last);
  return all;
}

function firstEnough(points: readonly PrecisionPoint[], threshold: number): number | null {
  const after = points.findLastIndex(({ high }) => high > threshold) + 1;
  const point = points[after];
  if (!point) return null;
  const before = points[after - 1];
  if (!before || point.n - before.n <= 1) return point.n;
  const share = Math.log(before.high / threshold) / Math.log(before.high / point.high);
  return Math.ceil(before.n * (point.n / before.n) ** Math.min(1, share));
}

/** The n at which t · spread / √n first is within the threshold. */
function seedsFor(threshold: number, spread: number): number {
  let n = 2;
  while (n < OUT_OF_SIGHT && (-tQuantile(0.025, n - 1) * spread) / Math.sqrt(n) > threshold)
    n = Math.ceil(n * 1.05);
  return n;
}
