import type { FastRandom } from "./fast-random.ts";

/** What to add: the sum of how many draws, by which generator. */
export interface Draws {
  draws: number;
  random: FastRandom;
}

/** Resamples a call of a kernel: many short calls get V8's best code sooner and more surely than one long one. */
const CHUNK = 256;

/**
 * Adds to every out[i] the sum of `draws` values drawn with replacement, each value exactly as likely.
 * Two indices come from each 32 random bits where few pairs must be drawn again, one elsewhere: a branch that
 * the processor guesses wrong costs more than a random number. O(out · draws).
 */
export function addSums(values: Float64Array, out: Float64Array, { draws, random }: Draws): void {
  if (draws === 0) return;
  const n = values.length;
  if (n >= 2 ** 21) {
    for (let i = 0; i < out.length; i++) for (let j = 0; j < draws; j++) out[i]! += values[random.below(n)]!;
    return;
  }
  const kernel = 65536 % n < 1300 ? addSumsNarrow : addSumsWide;
  for (let start = 0; start < out.length; start += CHUNK) {
    kernel(values, out.subarray(start, start + CHUNK), { draws, random });
  }
}

/**
 * addSums with two indices of 16 bits from each random number, for up to 65,536 values. A pair in which either
 * index would be unfair is drawn again, so there is no bias.
 * Source: D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
 */
export function addSumsNarrow(values: Float64Array, out: Float64Array, { draws, random }: Draws): void {
  const n = values.length;
  const unfair = 65536 % n;
  const state = random.state;
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let counter = state[3]!;
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    let other = 0;
    let left = draws;
    while (left > 0) {
      const bits = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + bits) | 0;
      const low = Math.imul(bits & 0xffff, n);
      const high = Math.imul(bits >>> 16, n);
      if ((low & 0xffff) >= unfair && (high & 0xffff) >= unfair) {
        sum += values[low >>> 16]!;
        if (left === 1) break;
        other += values[high >>> 16]!;
        left -= 2;
      }
    }
    out[i]! += sum + other;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}

/**
 * addSums with one index from each 32 random bits, for up to 2^21 values: so far the product of bits and n is
 * exact in a double. Its whole part is the index and its fraction says whether that is fair (Lemire, 2019).
 */
export function addSumsWide(values: Float64Array, out: Float64Array, { draws, random }: Draws): void {
  const n = values.length;
  const unfair = (2 ** 32 % n) - 2 ** 31;
  const scale = n / 2 ** 32;
  const state = random.state;
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let counter = state[3]!;
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let left = draws; left > 0; ) {
      const bits = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + bits) | 0;
      if ((Math.imul(bits, n) ^ 0x80000000) >= unfair) {
        sum += values[((bits >>> 0) * scale) | 0]!;
        left--;
      }
    }
    out[i]! += sum;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}

/**
 * How many subsets of `weights` (whole numbers) have each sum: the exact null distribution of a signed-rank
 * statistic, ties and zeros included, if the weights are (doubled) midranks. O(n · total), by adding one weight
 * at a time. Source: the generating function ∏(1 + x^w); B. Streitberg and J. Röhmel, Stat. Software Newsl. 12 (1986).
 */
export function subsetSums(weights: readonly number[]): Float64Array {
  const counts = new Float64Array(total(weights) + 1);
  counts[0] = 1;
  let reach = 0;
  for (const w of weights) {
    for (let s = reach; s >= 0; s--) counts[s + w]! += counts[s]!;
    reach += w;
  }
  return counts;
}

/** The same for subsets of one size: the exact null distribution of a rank sum, ties included. */
export function subsetSumsOfSize(weights: readonly number[], size: number): Float64Array {
  const width = total(weights) + 1;
  const bySize = Array.from({ length: size + 1 }, () => new Float64Array(width));
  bySize[0]![0] = 1;
  let reach = 0;
  let seen = 0;
  for (const w of weights) {
    for (let k = Math.min(size, ++seen); k >= 1; k--) {
      const to = bySize[k]!;
      const from = bySize[k - 1]!;
      for (let s = reach; s >= 0; s--) to[s + w]! += from[s]!;
    }
    reach += w;
  }
  return bySize[size]!;
}

function total(weights: readonly number[]): number {
  return weights.reduce((sum, w) => sum + w, 0);
}

/** More entries than this no longer stay in a core's cache. */
const LARGEST = 16384;

/** The sums of every way to draw `drawn` values with replacement, in order of their indices. */
export interface SumTable {
  sums: Float64Array;
  drawn: number;
}

/**
 * All sums of k draws from n values, for the largest k with n^k within the cache. One uniform index into this
 * table is k independent uniform draws, so a bootstrap mean takes n/k random numbers instead of n, and has
 * exactly the same distribution.
 */
export function sumTable(values: Float64Array): SumTable {
  const n = values.length;
  let sums = values;
  let drawn = 1;
  while (n > 1 && sums.length * n <= LARGEST && drawn < n) {
    const longer = new Float64Array(sums.length * n);
    let at = 0;
    for (let i = 0; i < sums.length; i++) for (let j = 0; j < n; j++) longer[at++] = sums[i]! + values[j]!;
    sums = longer;
    drawn++;
  }
  return { sums, drawn };
}
