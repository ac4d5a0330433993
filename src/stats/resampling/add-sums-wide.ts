import type { Draws } from "./add-sums.ts";

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
