import { erfc } from "../special/erfc.ts";

/** P(Z <= z) of the standard normal, accurate in both tails. Source: DLMF 7.17, Φ(z) = erfc(−z/√2)/2. */
export function normalCdf(z: number): number {
  return 0.5 * erfc(-z * Math.SQRT1_2);
}
