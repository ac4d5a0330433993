import { compileSpace } from "../../space/compile-space.ts";
import { encodePoint, pointKey } from "../../space/points.ts";
import type { Evaluation, Problem } from "../searcher.ts";
import { cholesky, inverseFrom, solveLower, solveUpper } from "./cholesky.ts";
import {
  type Hyperparameters,
  matern52,
  maternSlope,
  type Observations,
  squaredGap,
} from "./gaussian-process-model.ts";
import { type ModelLosses, normaliseLosses, representatives } from "./losses.ts";
import { minimise, type Smooth } from "./minimise.ts";

const MOST_FITTED = 80;

interface Fit {
  prefix: string;
  hyper: Hyperparameters;
}
const fits = new WeakMap<Problem, Map<number, Fit>>();

/**
 * Hyperparameters fitted to the first m finished points, where m grows by a quarter at a time: what takes longest is
 * done now and then, and still depends on the history alone. The last fit for each m is remembered.
 */
export function hyperparametersFor(
  finished: readonly Evaluation[],
  problem: Problem,
  { losses, errors }: ModelLosses,
): Hyperparameters {
  const m = lastMilestone(finished.length);
  const prefix = Array.from({ length: m }, (_, i) => `${pointKey(finished[i]!.params)}${losses[i]}`).join();
  let known = fits.get(problem);
  if (!known) {
    known = new Map();
    fits.set(problem, known);
  }
  const fit = known.get(m);
  if (fit?.prefix === prefix) return fit.hyper;
  const space = compileSpace(problem);
  const chosen = representatives(losses.slice(0, m), MOST_FITTED);
  const { values, stretches } = normaliseLosses(chosen.map((i) => losses[i]!));
  const hyper = fitHyperparameters({
    codes: chosen.map((i) => encodePoint(space, finished[i]!.params)),
    values,
    errorVariances: stretches.map((stretch, i) => (stretch * errors[chosen[i]!]!) ** 2),
    ordered: space.axes.map(({ domain }) => domain.ordered),
  });
  known.set(m, { prefix, hyper });
  return hyper;
}

function lastMilestone(n: number): number {
  let m = 1;
  for (let next = 1; next <= n; next = Math.max(next + 1, Math.floor(next * 1.25))) m = next;
  return m;
}

const FEW = 40;

/** The most probable hyperparameters, from two starts: a smooth function with little noise, a rough one with some. */
export function fitHyperparameters(seen: Observations): Hyperparameters {
  const d = seen.ordered.length;
  const prior = priorFor(d);
  const f = makeLogPosterior(seen, prior);
  const low = new Float64Array(d + 2).fill(Math.log(0.02));
  const high = new Float64Array(d + 2).fill(Math.log(30));
  [low[d], high[d]] = [Math.log(0.05), Math.log(50)];
  [low[d + 1], high[d + 1]] = [Math.log(1e-7), Math.log(1)];
  const rough = prior.means.map((mean, i) => (i < d ? mean - 0.7 : i === d ? 0 : Math.log(0.05)));
  // With many observations the peaks are told apart at the start already, and a descent takes long.
  const starts = seen.codes.length > FEW ? [better(f, prior.means, rough)] : [prior.means, rough];
  const fits = starts.map((start) => minimise(f, start, { low, high, steps: 30 }));
  const best = fits.reduce((a, b) => (b.value < a.value ? b : a));
  return {
    lengths: best.x.slice(0, d).map(Math.exp),
    signalVariance: Math.exp(best.x[d]!),
    noiseVariance: Math.exp(best.x[d + 1]!),
  };
}

function better(f: Smooth, a: Float64Array, b: Float64Array): Float64Array {
  const gradient = new Float64Array(a.length);
  return f(b, gradient) < f(a, gradient) ? b : a;
}

/** Lengths grow with the root of the number of axes, as distances do (C. Hvarfner et al., ICML 2024). */
function priorFor(d: number): Prior {
  const means = new Float64Array(d + 2).fill(Math.log(0.4 * Math.sqrt(d)));
  const sds = new Float64Array(d + 2).fill(1);
  [means[d], means[d + 1]] = [0, Math.log(1e-4)];
  sds[d + 1] = 3;
  return { means, sds };
}

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
