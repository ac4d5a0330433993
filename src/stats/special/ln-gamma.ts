const HALF_LN_TWO_PI = 0.9189385332046727;

/**
 * The logarithm of the gamma function for x > 0: Stirling's series from 12 on, below that the recurrence
 * Γ(x + 1) = x Γ(x) up to it. Absolute error about 1e-15 times the larger of 1 and the value.
 * Source: DLMF 5.5.1 and 5.11.1 (https://dlmf.nist.gov/5.11).
 */
export function lnGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`lnGamma is for positive numbers, not ${x}`);
  if (x === 1 || x === 2) return 0;
  let product = 1;
  let z = x;
  while (z < 12) product *= z++;
  const r = 1 / (z * z);
  const series =
    (1 / 12 -
      r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - r * (691 / 360360 - r / 156)))))) /
    z;
  return (z - 0.5) * Math.log(z) - z + HALF_LN_TWO_PI + series - Math.log(product);
}
