/**
 * The percentile of sorted values by linear interpolation between the closest ranks: definition 7 of Hyndman
 * and Fan (1996), the default of R and NumPy. Null without values.
 */
export function percentile(sorted: ArrayLike<number>, percent: number): number | null {
  const count = sorted.length;
  if (count === 0) return null;
  const rank = ((count - 1) * percent) / 100;
  const below = Math.floor(rank);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, count - 1)]!;
  return low + (rank - below) * (high - low);
}
