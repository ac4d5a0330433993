import type { Draws } from "./add-sums.ts";

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
