import { subsetSums, subsetSumsOfSize } from "../resampling/add-sums.ts";
import { choose } from "../special/choose.ts";

/** P(U <= u) of the Mann-Whitney statistic for untied samples of m and n values. */
export function rankSumCdf(u: number, m: number, n: number): number {
  const counts = subsetSumsOfSize(
    Array.from({ length: m + n }, (_, i) => i + 1),
    m,
  );
  const smallest = (m * (m + 1)) / 2;
  let below = 0;
  for (let s = smallest; s <= Math.min(Math.floor(u) + smallest, counts.length - 1); s++) below += counts[s]!;
  return below / choose(m + n, m);
}

/** P(W+ <= w) of Wilcoxon's signed-rank statistic for n untied pairs: W+ is the sum of a random subset of 1..n. */
export function signedRankCdf(w: number, n: number): number {
  const counts = subsetSums(Array.from({ length: n }, (_, i) => i + 1));
  let below = 0;
  for (let s = 0; s <= Math.min(Math.floor(w), counts.length - 1); s++) below += counts[s]!;
  return below / 2 ** n;
}
