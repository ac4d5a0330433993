import type { Sample } from "../sample.ts";

/**
 * x − y, pair by pair; the caller has checked that both have one length. Differences that are all equal but for
 * the rounding of the subtraction come out exactly equal: (0.7 − 0.6) and (0.8 − 0.7) are a few bits apart, and a t
 * test of those bits would be absurdly sure.
 */
export function differences(xs: Sample, ys: Sample): Float64Array {
  const d = new Float64Array(xs.length);
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < d.length; i++) {
    d[i] = xs[i]! - ys[i]!;
    least = Math.min(least, d[i]!);
    greatest = Math.max(greatest, d[i]!);
    largest = Math.max(largest, Math.abs(xs[i]!), Math.abs(ys[i]!));
  }
  return greatest - least <= 4 * Number.EPSILON * largest ? d.fill(d[0] ?? 0) : d;
}
