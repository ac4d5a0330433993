import type { CompiledSpace } from "../space/compile-space.ts";

/** The standard deviation of the uniform distribution on (0, 1). */
const PRIOR_SD = 1 / Math.sqrt(12);
/** Kernels narrower than this share, before the shrinking, let some searches settle too early (docs/search.md). */
const LEAST_SPREAD = 0.1;
const NARROWEST = 0.02;

/**
 * Scott's rule on each axis: the spread of the observations, shrunk as they grow in number. The prior counts as
 * one observation, so that a single point has a wide kernel.
 * Source: D. W. Scott, Multivariate Density Estimation (1992), 6.3.
 */
export function kernelWidths(space: CompiledSpace, codes: readonly Float64Array[]): number[] {
  const dimensions = space.axes.filter(({ domain }) => domain.ordered && domain.size > 1).length;
  return space.axes.map(({ domain }, i) => {
    if (!domain.ordered) return 1;
    let n = 0;
    let mean = 0;
    let squares = 0;
    for (const code of codes) {
      const x = code[i]!;
      if (Number.isNaN(x)) continue;
      n++;
      const away = x - mean;
      mean += away / n;
      squares += away * (x - mean);
    }
    const spread = Math.sqrt((squares + PRIOR_SD * PRIOR_SD) / (n + 1));
    const halfCell = Number.isFinite(domain.size) ? 0.5 / domain.size : 0;
    const shrunk = Math.max(spread, LEAST_SPREAD) * (n + 1) ** (-1 / (dimensions + 4));
    return Math.max(NARROWEST, halfCell, shrunk);
  });
}
