import { subsetSumsOfSize } from "../resampling/subset-sums.ts";
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
