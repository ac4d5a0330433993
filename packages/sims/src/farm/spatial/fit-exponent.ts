export interface PowerLaw {
  /** b in `time = a * size ** b`. */
  exponent: number;
  /** Its standard error from the scatter around the line; null with two sizes, which any line fits. */
  standardError: number | null;
}

/**
 * Least squares through the logarithms of sizes and times; null where there are less than two sizes. The error tells
 * how well a power law fits over these sizes within one iteration. How much the exponent itself varies is for the
 * statistics over iterations and seeds to say, which is why no interval is made of it here.
 */
export function fitExponent(sizes: number[], times: number[]): PowerLaw | null {
  const xs = sizes.map(Math.log);
  const ys = times.map(Math.log);
  const meanX = mean(xs);
  const meanY = mean(ys);
  const sxx = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  if (sxx === 0) return null;
  const exponent = xs.reduce((sum, x, i) => sum + (x - meanX) * (ys[i]! - meanY), 0) / sxx;
  const residual = xs.reduce((sum, x, i) => sum + (ys[i]! - meanY - exponent * (x - meanX)) ** 2, 0);
  const freedom = xs.length - 2;
  return { exponent, standardError: freedom > 0 ? Math.sqrt(residual / freedom / sxx) : null };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
