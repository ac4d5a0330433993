import { sum } from "../summaries/moments.ts";

/** Compares the two parts of a split of pooled values, from the sum and squares of the first part alone. */
export interface SplitStatistic {
  /** The pooled values, centred. */
  values: Float64Array;
  of: (sum: number, squares: number) => number;
  /** The statistic of the split that was observed: the first part first. */
  ofFirst: () => number;
  /** The observed mean difference. */
  difference: number;
  /** How far rounding can move the statistic. */
  rounding: number;
}

/** The mean difference, or Welch's t, of the first `m` of the pooled values against the rest, under any split. */
export function splitStatistic(pooled: Float64Array, m: number, kind: "welch" | "mean"): SplitStatistic {
  const n = pooled.length - m;
  const centre = sum(pooled) / pooled.length;
  const values = pooled.map((x) => x - centre);
  let total = 0;
  let allSquares = 0;
  for (const x of values) {
    total += x;
    allSquares += x * x;
  }
  const nothing = 1e-13 * allSquares;
  const of = (s: number, q: number) => {
    const difference = s / m - (total - s) / n;
    if (kind === "mean") return difference;
    const a = (q - (s * s) / m) / ((m - 1) * m);
    const b = (allSquares - q - ((total - s) * (total - s)) / n) / ((n - 1) * n);
    const spread = a + b;
    if (spread > nothing) return difference / Math.sqrt(spread);
    return difference * difference < nothing ? 0 : Math.sign(difference) * Number.POSITIVE_INFINITY;
  };
  const ofFirst = () => {
    let s = 0;
    let q = 0;
    for (let i = 0; i < m; i++) {
      s += values[i]!;
      q += values[i]! * values[i]!;
    }
    return of(s, q);
  };
  const difference = sum(pooled.subarray(0, m)) / m - sum(pooled.subarray(m)) / n;
  return {
    values,
    of,
    ofFirst,
    difference,
    rounding: kind === "mean" ? 1e-13 * Math.sqrt(allSquares) : 1e-12,
  };
}
