/** Losses as a process likes them, and by how much each was stretched (for their standard errors). */
export interface NormalLosses {
  values: Float64Array;
  stretches: Float64Array;
}

const POWERS = [1, 0.5, 0.25, 0, -0.25, -0.5];

/**
 * Standardised after a power of the Box-Cox family, the one that makes them most normal: where losses range over
 * orders of magnitude, a process on the plain ones would see the worst only.
 * Source: G. E. P. Box and D. R. Cox, J. R. Statist. Soc. B 26 (1964), 211-252; used so by A. Cowen-Rivers et al.,
 * "HEBO", JAIR 74 (2022).
 */
export function normaliseLosses(losses: readonly number[]): NormalLosses {
  const sorted = losses.toSorted((a, b) => a - b);
  const least = sorted[0]!;
  const unit = sorted[sorted.length >> 1]! - least || sorted.at(-1)! - least || 1;
  const ratios = losses.map((loss) => 1 + (loss - least) / unit);
  const logs = ratios.map(Math.log);
  const logSum = logs.reduce((sum, log) => sum + log, 0);
  const fits = POWERS.map((power) => {
    const powers = ratios.map((x, i) => (power === 0 ? logs[i]! : (x ** power - 1) / power));
    const { mean, sd } = momentsOf(powers);
    const fit = (power - 1) * logSum - losses.length * Math.log(Math.max(sd, 1e-12));
    return { power, powers, mean, sd: sd || 1, fit };
  });
  const { power, powers, mean, sd } = fits.reduce((best, next) => (next.fit > best.fit + 1e-9 ? next : best));
  return {
    values: Float64Array.from(powers, (value) => (value - mean) / sd),
    stretches: Float64Array.from(ratios, (x) => x ** (power - 1) / (unit * sd)),
  };
}

function momentsOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / values.length) };
}
