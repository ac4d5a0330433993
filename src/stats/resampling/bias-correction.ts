import { normalQuantile } from "../distributions/normal-quantile.ts";

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
