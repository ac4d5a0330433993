import type { FastRandom } from "./fast-random.ts";

/**
 * Any statistic of bootstrap samples. Columns are resampled together, row by row, so pairs stay pairs. The
 * statistic may reorder the arrays it is given, and must not keep them: they are filled again each time.
 */
export function resampleStatistic(
  columns: readonly Float64Array[],
  statistic: (...resample: Float64Array[]) => number,
  { resamples, random }: { resamples: number; random: FastRandom },
): Float64Array {
  const n = columns[0]!.length;
  const drawn = columns.map(() => new Float64Array(n));
  const out = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    for (let j = 0; j < n; j++) {
      const row = random.below(n);
      for (let column = 0; column < columns.length; column++) drawn[column]![j] = columns[column]![row]!;
    }
    out[i] = statistic(...drawn);
  }
  return out;
}
