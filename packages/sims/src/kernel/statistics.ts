/**
 * The percentile of sorted values by linear interpolation between the closest ranks: definition 7 of Hyndman
 * and Fan (1996), the default of R and NumPy. Null without values.
 */
export function percentile(sorted: ArrayLike<number>, percent: number): number | null {
  const count = sorted.length;
  if (count === 0) return null;
  const rank = ((count - 1) * percent) / 100;
  const below = Math.floor(rank);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, count - 1)]!;
  return low + (rank - below) * (high - low);
}

/** Collects values under names and gives the mean of each. */
export class MeanBy {
  readonly #sums = new Map<string, { sum: number; count: number }>();

  add(name: string, value: number): void {
    const entry = this.#sums.get(name) ?? { sum: 0, count: 0 };
    entry.sum += value;
    entry.count++;
    this.#sums.set(name, entry);
  }

  /** In the order in which the names first came. */
  means(): Record<string, number> {
    return Object.fromEntries([...this.#sums].map(([name, { sum, count }]) => [name, sum / count]));
  }
}

const STEPS = 1024;
const OCTAVES = 44;

/**
 * Counts of durations in buckets that are 1/1024 of their value wide (exact below 1024 us): quantiles within
 * 0.1 % from 180 KB, however many samples there are. This keeps memory flat where a list of waits would grow.
 */
export class LogHistogram {
  readonly #counts = new Uint32Array((OCTAVES + 1) * STEPS);
  count = 0;

  /** `us` is a whole number of microseconds, at most 2^53. */
  add(us: number): void {
    this.#counts[bucketOf(us)]!++;
    this.count++;
  }

  /** Nearest rank, as the upper end of its bucket; null without samples. */
  quantile(q: number): number | null {
    if (this.count === 0) return null;
    let left = Math.max(1, Math.ceil(q * this.count));
    let bucket = -1;
    while (left > 0) left -= this.#counts[++bucket]!;
    return upperEnd(bucket);
  }
}

function bucketOf(us: number): number {
  let octave = 0;
  let scaled = us;
  while (scaled >= 2 * STEPS) {
    scaled /= 2;
    octave++;
  }
  return scaled < STEPS ? Math.floor(scaled) : (octave + 1) * STEPS + Math.floor(scaled) - STEPS;
}

function upperEnd(bucket: number): number {
  if (bucket < 2 * STEPS) return bucket;
  const octave = Math.floor(bucket / STEPS) - 1;
  return ((bucket % STEPS) + STEPS + 1) * 2 ** octave - 1;
}

const NONE = new Float64Array(0);

/**
 * Quantiles of the last `window` samples, kept sorted: adding costs a binary search and a short move within
 * one small array, reading costs nothing. This is what a scheduler can know; results use all samples.
 */
export class RollingQuantiles {
  readonly #window: number;
  // Most pairs of type and station never meet: they take no memory until their first sample.
  #recent = NONE;
  #sorted = NONE;
  #next = 0;
  count = 0;

  constructor(window: number) {
    this.#window = window;
  }

  add(sample: number): void {
    if (this.#recent === NONE) {
      this.#recent = new Float64Array(this.#window);
      this.#sorted = new Float64Array(this.#window);
    }
    const sorted = this.#sorted;
    let place = this.#position(sample);
    if (this.count < this.#window) {
      sorted.copyWithin(place + 1, place, this.count++);
    } else {
      // The oldest leaves: only what lies between its place and the newcomer's has to move.
      const leaving = this.#position(this.#recent[this.#next]!);
      if (leaving < place) sorted.copyWithin(leaving, leaving + 1, place--);
      else sorted.copyWithin(place + 1, place, leaving);
    }
    sorted[place] = sample;
    this.#recent[this.#next] = sample;
    this.#next = (this.#next + 1) % this.#window;
  }

  /** Nearest rank; `otherwise` while there are no samples. */
  quantile(q: number, otherwise: number): number {
    if (this.count === 0) return otherwise;
    return this.#sorted[Math.max(0, Math.ceil(q * this.count) - 1)]!;
  }

  /** The first position whose sample is not below `value`. */
  #position(value: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
