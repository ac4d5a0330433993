import { normalQuantile } from "../distributions/normal.ts";
import { sum } from "../summaries/moments.ts";

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

/** The means with each value left out in turn, in O(n). */
export function jackknifeMeans(values: Float64Array): Float64Array {
  const total = sum(values);
  return values.map((x) => (total - x) / (values.length - 1));
}

/**
 * BCa's acceleration: how fast the standard error changes with the estimate, from the skewness of the jackknife
 * values; zero for symmetric data. For several independent samples, each one's influences are weighted by 1/n.
 * Source: B. Efron, JASA 82 (1987), 171-185, (6.6); several samples: A. C. Davison and D. V. Hinkley,
 * Bootstrap Methods and their Application (1997), (5.25).
 */
export function acceleration(...jackknifes: Float64Array[]): number {
  let cubes = 0;
  let squares = 0;
  for (const values of jackknifes) {
    const n = values.length;
    const centre = sum(values) / n;
    for (const value of values) {
      const influence = jackknifes.length === 1 ? centre - value : ((n - 1) * (centre - value)) / n;
      cubes += influence ** 3;
      squares += influence ** 2;
    }
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/**
 * BCa's z0: how far the median of the bootstrap distribution lies from the estimate, in normal deviates. Resamples
 * that equal the estimate count half, as scipy does and unlike R's boot: data on a grid have many. Equal means
 * equal up to the rounding of a sum, which `scale` (the largest value) measures.
 * Source: B. Efron, JASA 82 (1987), 171-185.
 */
export function biasCorrection(distribution: Float64Array, estimate: number, scale: number): number {
  const rounding = 1e-13 * scale;
  const lower = estimate - rounding;
  const upper = estimate + rounding;
  let below = 0;
  let notAbove = 0;
  for (let i = 0; i < distribution.length; i++) {
    const value = distribution[i]!;
    if (value < lower) below++;
    if (value <= upper) notAbove++;
  }
  return normalQuantile((below + notAbove) / (2 * distribution.length));
}
