import { chiScaleMean } from "../special/chi-scale-mean.ts";
import { normalCdf, normalDensity } from "./normal.ts";

/**
 * P(Q <= q) for the studentised range of `groups` means with `df` degrees of freedom: what Tukey's honest
 * comparison of all pairs rests on. A mean over S of the range's own distribution, both by the trapezoid rule.
 * Source: M. D. Copenhaver and B. Holland, J. Statist. Comput. Simul. 30 (1988), 1-15.
 */
export function studentizedRangeCdf(q: number, groups: number, df: number): number {
  if (q <= 0) return 0;
  return chiScaleMean((s) => rangeCdf(q * s, groups), df);
}

const STEP = 0.2;
const GRID = Array.from({ length: 86 }, (_, i) => {
  const z = -8.5 + STEP * i;
  return { z, density: normalDensity(z), below: normalCdf(z) };
});

/** P(range of k standard normals <= w) = k ∫ φ(z) [Φ(z) − Φ(z − w)]^(k−1) dz. */
function rangeCdf(w: number, k: number): number {
  let sum = 0;
  for (const { z, density, below } of GRID) sum += density * (below - normalCdf(z - w)) ** (k - 1);
  return Math.min(1, k * STEP * sum);
}
