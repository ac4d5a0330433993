import { subsetSums } from "../resampling/subset-sums.ts";

/** P(W+ <= w) of Wilcoxon's signed-rank statistic for n untied pairs: W+ is the sum of a random subset of 1..n. */
export function signedRankCdf(w: number, n: number): number {
  const counts = subsetSums(Array.from({ length: n }, (_, i) => i + 1));
  let below = 0;
  for (let s = 0; s <= Math.min(Math.floor(w), counts.length - 1); s++) below += counts[s]!;
  return below / 2 ** n;
}
