import { normalCdf } from "../../stats/distributions/normal-cdf.ts";
import { normalDensity } from "../../stats/distributions/normal-density.ts";

const LOG_ROOT_2PI = 0.9189385332046727;

/**
 * The logarithm of E max(0, best − X) for X normal: how much a point is expected to improve on `best`. As a logarithm
 * it still tells points apart where the improvement itself underflows.
 * Source: S. Ament et al., "Unexpected improvements to expected improvement", NeurIPS 36 (2023).
 */
export function logExpectedImprovement(best: number, mean: number, variance: number): number {
  const sd = Math.sqrt(variance);
  const z = (best - mean) / sd;
  if (z > -1) return Math.log(sd) + Math.log(normalDensity(z) + z * normalCdf(z));
  const logDensity = -0.5 * z * z - LOG_ROOT_2PI;
  const zz = z * z;
  // Below −10 the two terms cancel; there φ(z) + z Φ(z) = φ(z) (1/z² − 3/z⁴ + 15/z⁶ − ...), DLMF 7.12.1.
  const share =
    z > -10
      ? 1 + (z * normalCdf(z)) / normalDensity(z)
      : (1 - (3 - (15 - (105 - 945 / zz) / zz) / zz) / zz) / zz;
  return Math.log(sd) + logDensity + Math.log(share);
}
