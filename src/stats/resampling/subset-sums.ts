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
