import { addSums } from "./add-sums.ts";
import type { FastRandom } from "./fast-random.ts";
import { sumTable } from "./sum-table.ts";

/**
 * The means of `resamples` bootstrap samples of `values`. O(resamples · n / k) time, where k values are drawn by
 * one look-up (see sumTable), and 8 bytes a resample.
 */
export function resampleMeans(
  values: Float64Array,
  resamples: number,
  { random }: { random: FastRandom },
): Float64Array {
  const n = values.length;
  const means = new Float64Array(resamples);
  const { sums, drawn } = sumTable(values);
  addSums(sums, means, { draws: Math.floor(n / drawn), random });
  addSums(values, means, { draws: n % drawn, random });
  for (let i = 0; i < resamples; i++) means[i]! /= n;
  return means;
}
