import { addSumsNarrow } from "./add-sums-narrow.ts";
import { addSumsWide } from "./add-sums-wide.ts";
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
