import type { FastRandom } from "./fast-random.ts";
import type { ResampledMoments } from "./resample-moments.ts";

/** Fills `out` with the mean and variance of one resample an entry, for up to 2^21 values; see addSumsWide. */
export function fillMoments(
  centred: Float64Array,
  out: ResampledMoments,
  { random }: { random: FastRandom },
): void {
  const { means, variances } = out;
  const n = centred.length;
  const unfair = (2 ** 32 % n) - 2 ** 31;
  const scale = n / 2 ** 32;
  const state = random.state;
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let counter = state[3]!;
  for (let i = 0; i < means.length; i++) {
    let sum = 0;
    let squares = 0;
    for (let left = n; left > 0; ) {
      const bits = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + bits) | 0;
      if ((Math.imul(bits, n) ^ 0x80000000) >= unfair) {
        const x = centred[((bits >>> 0) * scale) | 0]!;
        sum += x;
        squares += x * x;
        left--;
      }
    }
    means[i] = sum / n;
    variances[i] = Math.max(0, squares - (sum * sum) / n) / (n - 1);
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}
