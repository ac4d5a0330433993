/** More entries than this no longer stay in a core's cache. */
const LARGEST = 16384;

/** The sums of every way to draw `drawn` values with replacement, in order of their indices. */
export interface SumTable {
  sums: Float64Array;
  drawn: number;
}

/**
 * All sums of k draws from n values, for the largest k with n^k within the cache. One uniform index into this
 * table is k independent uniform draws, so a bootstrap mean takes n/k random numbers instead of n, and has
 * exactly the same distribution.
 */
export function sumTable(values: Float64Array): SumTable {
  const n = values.length;
  let sums = values;
  let drawn = 1;
  while (n > 1 && sums.length * n <= LARGEST && drawn < n) {
    const longer = new Float64Array(sums.length * n);
    let at = 0;
    for (let i = 0; i < sums.length; i++) for (let j = 0; j < n; j++) longer[at++] = sums[i]! + values[j]!;
    sums = longer;
    drawn++;
  }
  return { sums, drawn };
}
