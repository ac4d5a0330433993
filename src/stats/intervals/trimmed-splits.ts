import { FastRandom } from "../resampling/fast-random.ts";
import type { Sample } from "../sample.ts";
import { choose } from "../special/choose.ts";
import { trimmedCount, trimmedMoments } from "./trimmed-difference.ts";

export interface SplitOptions {
  resamples: number;
  seed: number;
  /** All ways to split the values, or so many at random. */
  isExact: boolean;
}

/** All splits of two samples, or many at random, and Yuen's t of each for any shift of the first sample. O(ways · n) a shift. */
export class TrimmedSplits {
  readonly estimate: number;
  readonly spread: number;
  readonly isExact: boolean;
  readonly ways: number;
  readonly #m: number;
  readonly #n: number;
  readonly #cuts: readonly [number, number];
  readonly #values: Float64Array;
  /** Whether a value is of the first part: a row for each split, that seen first. */
  readonly #isFirst: Uint8Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  #mean = 0;

  constructor(xs: Sample, ys: Sample, options: SplitOptions & { trim: number }) {
    const [m, n] = [xs.length, ys.length];
    this.#m = m;
    this.#n = n;
    this.#cuts = [trimmedCount(m, options.trim), trimmedCount(n, options.trim)];
    this.#values = Float64Array.from([...Array.from(xs), ...Array.from(ys)]);
    this.isExact = options.isExact;
    this.ways = this.isExact ? Math.round(choose(m + n, m)) : options.resamples + 1;
    [this.#first, this.#second] = [new Float64Array(m + n), new Float64Array(m + n)];
    this.#isFirst = new Uint8Array(this.ways * (m + n));
    if (this.isExact) this.#takeAll();
    else this.#takeSome(options);
    const [first, second] = [xs, ys].map((part) =>
      trimmedMoments(Float64Array.from(part).sort(), options.trim),
    );
    this.estimate = first!.mean - second!.mean;
    this.spread = Math.hypot(first!.error, second!.error);
  }

  #takeAll(): void {
    const total = this.#m + this.#n;
    const chosen = new Int32Array(this.#m);
    let way = 0;
    // In the order of their members, so the one seen, 0 to m − 1, comes first.
    const grow = (from: number, at: number): void => {
      if (at === chosen.length) {
        for (const i of chosen) this.#isFirst[way * total + i] = 1;
        way++;
        return;
      }
      for (let i = from; i <= total - (chosen.length - at); i++) {
        chosen[at] = i;
        grow(i + 1, at + 1);
      }
    };
    grow(0, 0);
  }

  #takeSome({ seed }: { seed: number }): void {
    const [m, total] = [this.#m, this.#m + this.#n];
    const random = new FastRandom(seed, "permutation-difference");
    const order = Int32Array.from({ length: total }, (_, i) => i);
    this.#isFirst.fill(1, 0, m);
    for (let way = 1; way < this.ways; way++)
      for (let i = 0; i < m; i++) {
        const j = i + random.below(total - i);
        const k = order[j]!;
        order[j] = order[i]!;
        order[i] = k;
        this.#isFirst[way * total + k] = 1;
      }
  }

  beyond(delta: number, side: 1 | -1): number {
    const [m, total] = [this.#m, this.#m + this.#n];
    const values = this.#values.map((value, i) => (i < m ? value - delta : value));
    const order = Int32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
    // About the middle value, so that sums of squares lose nothing.
    const middle = values[order[total >> 1]!]!;
    const sorted = Float64Array.from(order, (place) => values[place]! - middle);
    const seen = this.#statistic(sorted, order, 0);
    const least = side * seen - 1e-9 * (1 + Math.abs(seen));
    let count = 0;
    for (let way = 0; way < this.ways; way++)
      if (side * this.#statistic(sorted, order, way) >= least) count++;
    return count;
  }

  /** The t of a split of the values in ascending order. */
  #statistic(sorted: Float64Array, order: Int32Array, way: number): number {
    const isFirst = this.#isFirst;
    const first = this.#first;
    const second = this.#second;
    const row = way * order.length;
    let i = 0;
    // Every value is written to both parts and stays in one: a branch that nobody can foresee would take longer.
    for (let k = 0; k < order.length; k++) {
      const value = sorted[k]!;
      first[i] = value;
      second[k - i] = value;
      i += isFirst[row + order[k]!]!;
    }
    const a = this.#middleOf(first, this.#m, this.#cuts[0]);
    const meanOfFirst = this.#mean;
    const squared = a + this.#middleOf(second, this.#n, this.#cuts[1]);
    const difference = meanOfFirst - this.#mean;
    if (squared > 0) return difference / Math.sqrt(squared);
    return difference === 0 ? 0 : difference * Number.POSITIVE_INFINITY;
  }

  /** The squared error of a part's trimmed mean, which is left in `#mean`: this runs a hundred thousand times. */
  #middleOf(part: Float64Array, size: number, cut: number): number {
    const [low, high] = [part[cut]!, part[size - 1 - cut]!];
    let sum = 0;
    let squares = 0;
    for (let k = cut; k < size - cut; k++) {
      const value = part[k]!;
      sum += value;
      squares += value * value;
    }
    const kept = size - 2 * cut;
    const whole = sum + cut * (low + high);
    this.#mean = sum / kept;
    const around = squares + cut * (low * low + high * high) - (whole * whole) / size;
    return Math.max(0, around) / (kept * (kept - 1));
  }
}
