/**
 * Satterthwaite's degrees of freedom for the CR2 variance of a mean over clusters of these sizes: G − 1 if all are
 * equal, fewer if some dominate. They depend on how values within a cluster hang together, which is unknown; this
 * takes the smaller of the two extremes, values independent and values within a cluster identical.
 * With w = size/n and b = w²/(1 − w), the variance is a quadratic form whose matrix has the traces below. O(G).
 * Source: R. M. Bell and D. F. McCaffrey (2002); G. W. Imbens and M. Kolesár, Rev. Econ. Stat. 98 (2016), 701-712.
 */
export function clusterDegreesOfFreedom(sizes: readonly number[]): number {
  const n = sizes.reduce((total, size) => total + size, 0);
  const shares = sizes.map((size) => size / n);
  let w2 = 0;
  for (const w of shares) w2 += w * w;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let squares = 0;
  let trace = 0;
  let own = 0;
  for (const w of shares) {
    const b = (w * w) / (1 - w);
    b0 += b;
    b1 += b * w;
    b2 += b * w * w;
    squares += b * b;
    trace += b * (1 - 2 * w + w2);
    own += b * b * ((1 + w2 - 2 * w) ** 2 - (w2 - 2 * w) ** 2);
  }
  const independent = 1 / (w2 + b0 * b0 - squares);
  const identical = trace ** 2 / (b0 * b0 * w2 * w2 + 2 * b0 * b2 - 4 * w2 * b0 * b1 + 2 * b1 * b1 + own);
  return Math.min(independent, identical);
}
