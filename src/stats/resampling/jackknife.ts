/**
 * The statistic with each row left out in turn: how much each value pulls, which is what BCa's acceleration is
 * made of. Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), ch. 11. O(n · cost).
 */
export function jackknife(
  columns: readonly Float64Array[],
  statistic: (...resample: Float64Array[]) => number,
): Float64Array {
  const n = columns[0]!.length;
  const out = new Float64Array(n);
  for (let left = 0; left < n; left++) {
    const rest = columns.map((column) => {
      const others = new Float64Array(n - 1);
      others.set(column.subarray(0, left));
      others.set(column.subarray(left + 1), left);
      return others;
    });
    out[left] = statistic(...rest);
  }
  return out;
}
