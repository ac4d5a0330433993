import { lnGamma } from "./ln-gamma.ts";

const HALF_LN_TWO_PI = 0.9189385332046727;

/**
 * What Stirling's formula misses: ln Γ(n + 1) − (n + ½) ln n + n − ½ ln 2π. Small where ln Γ is huge, so
 * that densities built from it keep their digits at a million degrees of freedom.
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000); series DLMF 5.11.1.
 */
export function stirlingError(n: number): number {
  if (n < 12) return lnGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LN_TWO_PI;
  const r = 1 / (n * n);
  return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - (r * 691) / 360360))))) / n;
}
