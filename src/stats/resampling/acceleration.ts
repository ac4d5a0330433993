import { sum } from "../summaries/sum.ts";

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
