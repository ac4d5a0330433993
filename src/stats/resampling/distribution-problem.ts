/** Why a bootstrap distribution of a caller's statistic carries no interval, or undefined if it does. */
export function distributionProblem(distribution: Float64Array, estimate: number): string | undefined {
  if (!Number.isFinite(estimate)) return "the statistic has no value on these data";
  let equal = true;
  for (const value of distribution) {
    if (!Number.isFinite(value)) return "the statistic has no value on some resamples";
    if (value !== distribution[0]) equal = false;
  }
  return equal ? "the statistic is the same on all resamples, so they show no spread" : undefined;
}
