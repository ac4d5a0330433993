import { chi2Quantile, known, type Result, tInterval, tQuantile, unknownBecause } from "../../stats/index.ts";
import { FastRandom } from "../../stats/resampling/fast-random.ts";
import { moments } from "../../stats/summaries/moments.ts";
import { quantileOfSorted } from "../../stats/summaries/quantile.ts";

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
      `the mean, ${short(mean)} ± ${short(halfWidth)}, can't be told from 0, and nothing is relative to 0: give the effect that matters`,
    );
  const sure = (quantile: number) => (n - 1) / chi2Quantile(quantile, n - 1);
  const needed = seedsFor(options.threshold, (sd / reference) * Math.sqrt(sure(0.1)));
  const last = Math.min(OUT_OF_SIGHT, Math.max(n, Math.ceil(1.2 * needed)));
  const random = new FastRandom(options.seed ?? 1, "precision");
  const points = sizes(last).map((size) => pointAt(values, size, { sd, reference, random }));
  const enough = firstEnough(points, options.threshold);
  const range = ([0.9, 0.1] as const).map((q) => Math.max(2, Math.ceil((enough ?? 0) * sure(q))));
  return known({
    ...{ n, mean, sd, reference, halfWidth, points, enough },
    enoughRange: enough === null ? null : ([range[0]!, range[1]!] as const),
  });
}

function pointAt(
  values: readonly number[],
  n: number,
  { sd, reference, random }: { sd: number; reference: number; random: FastRandom },
): PrecisionPoint {
  const scale = -tQuantile(0.025, n - 1) / Math.sqrt(n) / reference;
  if (n > RESAMPLED_UP_TO) {
    const at = (q: number) => scale * sd * Math.sqrt(chi2Quantile(q, n - 1) / (n - 1));
    return { n, middle: at(0.5), low: at(0.1), high: at(0.9) };
  }
  // Draws with replacement spread by a factor of (N − 1)/N too little.
  const spread = scale * Math.sqrt(values.length / (values.length - 1));
  const count = Math.max(400, Math.min(2000, Math.floor(200_000 / n)));
  const drawn = new Float64Array(n);
  const widths = new Float64Array(count);
  for (let b = 0; b < count; b++) {
    for (let i = 0; i < n; i++) drawn[i] = values[random.below(values.length)]!;
    widths[b] = spread * Math.sqrt(moments(drawn).variance);
  }
  widths.sort();
  const at = (q: number) => quantileOfSorted(widths, q);
  return { n, middle: at(0.5), low: at(0.1), high: at(0.9) };
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

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
