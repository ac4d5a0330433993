import type { Sample } from "../sample.ts";

/** Ranks from 1, ties sharing the mean of theirs. */
export interface Ranks {
  ranks: Float64Array;
  /** Σ (t³ − t) over groups of t tied values: what ties take from the variance of a rank sum. */
  tieTerm: number;
}

/**
 * Midranks of a sample. Values no further apart than `tolerance` count as tied: differences of data on a grid are
 * equal on paper and a few bits apart in floating point. O(n log n).
 */
export function midranks(xs: Sample, { tolerance = 0 }: { tolerance?: number } = {}): Ranks {
  const n = xs.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((i, j) => xs[i]! - xs[j]!);
  const ranks = new Float64Array(n);
  let tieTerm = 0;
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && xs[order[end]!]! - xs[order[start]!]! <= tolerance) end++;
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + end + 1) / 2;
    tieTerm += (end - start) ** 3 - (end - start);
    start = end;
  }
  return { ranks, tieTerm };
}
