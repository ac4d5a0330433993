import { cholesky, inverseFrom, solveLower, solveUpper } from "./cholesky.ts";
import type { Observations } from "./gaussian-process-model.ts";
import { matern52, maternSlope, squaredGap } from "./matern.ts";

/** Normal priors on the logarithms of lengths, signal variance and noise variance, in that order. */
export interface Prior {
  means: Float64Array;
  sds: Float64Array;
}

/**
 * Minus the log posterior density of hyperparameters (as logarithms, in the order of `Prior`) and its gradient.
 * Source: Rasmussen and Williams (2006), 5.4.1.
 */
export function makeLogPosterior(seen: Observations, prior: Prior) {
  const { codes, values, errorVariances, ordered } = seen;
  const n = codes.length;
  const d = ordered.length;
  const pairs = (n * (n - 1)) / 2;
  const gaps = ordered.map((isOrdered, axis) => {
    const gap = new Float64Array(pairs);
    let at = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) gap[at++] = squaredGap(codes[i]![axis]!, codes[j]![axis]!, isOrdered);
    }
    return gap;
  });
  const distances = new Float64Array(pairs);

  return (logs: Float64Array, gradient: Float64Array): number => {
    const signal = Math.exp(logs[d]!);
    const noise = Math.exp(logs[d + 1]!);
    distances.fill(0);
    for (let axis = 0; axis < d; axis++) {
      const scale = Math.exp(-2 * logs[axis]!);
      const gap = gaps[axis]!;
      for (let p = 0; p < pairs; p++) distances[p]! += gap[p]! * scale;
    }
    const a = new Float64Array(n * n);
    for (let i = 0, p = 0; i < n; i++) {
      for (let j = 0; j < i; j++, p++) a[i * n + j] = signal * matern52(distances[p]!);
      a[i * n + i] = signal * (1 + 1e-8) + noise + errorVariances[i]!;
    }
    const factor = cholesky(a, n);
    if (!factor) return Number.POSITIVE_INFINITY;
    const weights = Float64Array.from(values);
    solveLower(factor, n, weights);
    let value = 0;
    for (let i = 0; i < n; i++) value += 0.5 * weights[i]! * weights[i]! + Math.log(factor[i * n + i]!);
    solveUpper(factor, n, weights);
    const inverse = inverseFrom(factor, n);
    // The gradient of the likelihood is a sum over pairs of (K⁻¹ − α αᵀ) times the derivative of K.
    gradient.fill(0);
    for (let i = 0, p = 0; i < n; i++) {
      for (let j = 0; j < i; j++, p++) {
        const pull = inverse[i * n + j]! - weights[i]! * weights[j]!;
        gradient[d]! += pull * signal * matern52(distances[p]!);
        const slope = pull * signal * maternSlope(distances[p]!);
        for (let axis = 0; axis < d; axis++) gradient[axis]! += slope * gaps[axis]![p]!;
      }
      const own = inverse[i * n + i]! - weights[i]! * weights[i]!;
      gradient[d]! += 0.5 * own * signal;
      gradient[d + 1]! += 0.5 * own * noise;
    }
    for (let axis = 0; axis < d; axis++) gradient[axis]! *= Math.exp(-2 * logs[axis]!);
    for (let i = 0; i < d + 2; i++) {
      const away = (logs[i]! - prior.means[i]!) / prior.sds[i]!;
      value += 0.5 * away * away;
      gradient[i]! += away / prior.sds[i]!;
    }
    return value;
  };
}
