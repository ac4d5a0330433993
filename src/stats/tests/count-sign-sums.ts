/**
 * The share of the 2^n ways to sign `magnitudes` whose sum is at least `threshold`: exact, by meeting in the
 * middle. The sums of each half are listed and sorted, then two pointers count the pairs: O(2^(n/2)) instead of
 * O(2^n), so thirty pairs take a millisecond.
 * Source: E. Horowitz and S. Sahni, Journal of the ACM 21 (1974), 277-292, applied to sign flips.
 */
export function shareOfSignSums(magnitudes: Float64Array, threshold: number): number {
  const half = magnitudes.length >> 1;
  const first = signSums(magnitudes.subarray(0, half)).sort();
  const second = signSums(magnitudes.subarray(half)).sort();
  let reached = 0;
  let from = second.length;
  for (const sum of first) {
    while (from > 0 && sum + second[from - 1]! >= threshold) from--;
    reached += second.length - from;
  }
  return reached / (first.length * second.length);
}

function signSums(magnitudes: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** magnitudes.length);
  let filled = 1;
  for (const x of magnitudes) {
    for (let i = 0; i < filled; i++) {
      sums[filled + i] = sums[i]! - x;
      sums[i]! += x;
    }
    filled *= 2;
  }
  return sums;
}
