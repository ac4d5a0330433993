import { cholesky, solveLower, solveUpper } from "./cholesky.ts";

export interface Observations {
  /** Encoded points. */
  codes: readonly Float64Array[];
  /** Standardised values. */
  values: ArrayLike<number>;
  /** The variance of each value's own error, beside the common noise. */
  errorVariances: ArrayLike<number>;
  /** Which axes have ordered values. */
  ordered: readonly boolean[];
}

/** A Gaussian process with mean 0 and Matérn 5/2 covariance. Rasmussen and Williams (2006), algorithm 2.1. */
export class GaussianProcessModel {
  readonly #seen: Observations;
  readonly #hyper: Hyperparameters;
  readonly #factor: Float64Array;
  readonly #weights: Float64Array;
  readonly #row: Float64Array;
  readonly #scales: Float64Array;

  constructor(seen: Observations, hyper: Hyperparameters) {
    this.#seen = seen;
    this.#hyper = hyper;
    this.#scales = hyper.lengths.map((length) => 1 / (length * length));
    const n = seen.codes.length;
    this.#row = new Float64Array(n);
    this.#factor = this.#factorise(n);
    this.#weights = Float64Array.from(seen.values);
    solveUpper(this.#factor, n, solveLower(this.#factor, n, this.#weights));
  }

  /** Mean and variance of the function (not of a noisy value) at an encoded point. */
  posterior(code: Float64Array): { mean: number; variance: number } {
    const { codes } = this.#seen;
    const row = this.#row;
    let mean = 0;
    for (let i = 0; i < codes.length; i++) {
      row[i] = this.#covariance(code, codes[i]!);
      mean += row[i]! * this.#weights[i]!;
    }
    solveLower(this.#factor, codes.length, row);
    let explained = 0;
    for (let i = 0; i < codes.length; i++) explained += row[i]! * row[i]!;
    return { mean, variance: Math.max(1e-12, this.#hyper.signalVariance - explained) };
  }

  /** Means at the observed points themselves: what is left of each value without its noise. */
  fitted(): Float64Array {
    const { values, errorVariances } = this.#seen;
    return this.#weights.map((weight, i) => {
      return values[i]! - (this.#hyper.noiseVariance + errorVariances[i]!) * weight;
    });
  }

  #covariance(a: Float64Array, b: Float64Array): number {
    const { ordered } = this.#seen;
    let squared = 0;
    for (let i = 0; i < a.length; i++) squared += squaredGap(a[i]!, b[i]!, ordered[i]!) * this.#scales[i]!;
    return this.#hyper.signalVariance * matern52(squared);
  }

  /** With more jitter until rounding no longer spoils it. */
  #factorise(n: number): Float64Array {
    const { codes, errorVariances } = this.#seen;
    const { signalVariance, noiseVariance } = this.#hyper;
    for (let jitter = 1e-9; ; jitter *= 10) {
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) a[i * n + j] = this.#covariance(codes[i]!, codes[j]!);
        a[i * n + i] = signalVariance * (1 + jitter) + noiseVariance + errorVariances[i]!;
      }
      const factor = cholesky(a, n);
      if (factor) return factor;
    }
  }
}

/** What a Gaussian process believes before it has seen anything. All on standardised values. */
export interface Hyperparameters {
  /** One an axis, on the unit interval; for choices, on the distance 1 between any two. */
  lengths: Float64Array;
  signalVariance: number;
  noiseVariance: number;
}

const ROOT5 = Math.sqrt(5);

/**
 * The squared distance along one axis of two encoded points. Any two choices are 1 apart; so are an active and an
 * inactive parameter; two inactive ones are alike.
 */
export function squaredGap(a: number, b: number, ordered: boolean): number {
  if (a === b) return 0;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : 1;
  return ordered ? (a - b) * (a - b) : 1;
}

/** Matérn's covariance of smoothness 5/2 for a scaled distance, without the variance. Rasmussen and Williams, 4.2. */
export function matern52(squared: number): number {
  const r = ROOT5 * Math.sqrt(squared);
  return (1 + r + (r * r) / 3) * Math.exp(-r);
}

/** Minus twice its derivative by the squared distance. */
export function maternSlope(squared: number): number {
  const r = ROOT5 * Math.sqrt(squared);
  return (5 / 3) * (1 + r) * Math.exp(-r);
}
