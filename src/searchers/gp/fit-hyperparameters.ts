import type { Observations } from "./gaussian-process-model.ts";
import { makeLogPosterior, type Prior } from "./log-posterior.ts";
import type { Hyperparameters } from "./matern.ts";
import { minimise, type Smooth } from "./minimise.ts";

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
