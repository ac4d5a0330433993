import { symmetricEigen } from "./symmetric-eigen.ts";

/**
 * The state of CMA-ES between generations: a normal distribution that learns step size and shape.
 * Source: N. Hansen, "The CMA evolution strategy: a tutorial" (2016), with its default constants.
 */
export class Evolution {
  readonly size: number;
  mean: Float64Array;
  sigma: number;
  generation = 0;
  readonly #n: number;
  readonly #weights: Float64Array;
  readonly #muEff: number;
  #c: Float64Array;
  #pathC: Float64Array;
  #pathSigma: Float64Array;
  #axes: Float64Array;
  #scales: Float64Array;

  constructor(mean: Float64Array, sigma: number, size = 4 + Math.floor(3 * Math.log(mean.length))) {
    const n = mean.length;
    this.#n = n;
    this.size = size;
    this.mean = mean;
    this.sigma = sigma;
    const raw = Array.from({ length: size >> 1 }, (_, i) => Math.log((size + 1) / 2) - Math.log(i + 1));
    const sum = raw.reduce((total, w) => total + w, 0);
    this.#weights = Float64Array.from(raw, (w) => w / sum);
    this.#muEff = 1 / this.#weights.reduce((total, w) => total + w * w, 0);
    this.#c = new Float64Array(n * n);
    for (let i = 0; i < n; i++) this.#c[i * n + i] = 1;
    this.#pathC = new Float64Array(n);
    this.#pathSigma = new Float64Array(n);
    this.#axes = this.#c.slice();
    this.#scales = new Float64Array(n).fill(1);
  }

  /** The place that belongs to a vector of independent standard normals. */
  place(normals: Float64Array): Float64Array {
    const n = this.#n;
    return this.mean.map((m, i) => {
      let step = 0;
      for (let j = 0; j < n; j++) step += this.#axes[i * n + j]! * this.#scales[j]! * normals[j]!;
      return m + this.sigma * step;
    });
  }

  /** Whether the distribution has shrunk to a point, or its shape to a line, so that nothing new will come. */
  get isSpent(): boolean {
    const widest = Math.max(...this.#scales);
    return this.sigma * widest < 1e-9 || widest > 1e7 * Math.min(...this.#scales);
  }

  /** Learns from a generation's places, best first. */
  update(ranked: readonly Float64Array[]): void {
    const n = this.#n;
    const muEff = this.#muEff;
    const cSigma = (muEff + 2) / (n + muEff + 5);
    const dSigma = 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma;
    const cC = (4 + muEff / n) / (n + 4 + (2 * muEff) / n);
    const c1 = 2 / ((n + 1.3) ** 2 + muEff);
    const cMu = Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff));
    const old = this.mean;
    const steps = ranked
      .slice(0, this.#weights.length)
      .map((place) => place.map((x, i) => (x - old[i]!) / this.sigma));
    const move = old.map((_, i) => steps.reduce((sum, step, k) => sum + this.#weights[k]! * step[i]!, 0));
    this.mean = old.map((m, i) => m + this.sigma * move[i]!);
    const whitened = this.#whiten(move);
    const keep = Math.sqrt(cSigma * (2 - cSigma) * muEff);
    this.#pathSigma = this.#pathSigma.map((p, i) => (1 - cSigma) * p + keep * whitened[i]!);
    this.generation++;
    const expected = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    const length = Math.hypot(...this.#pathSigma);
    const settled = Math.sqrt(1 - (1 - cSigma) ** (2 * this.generation));
    const isCalm = length / settled < (1.4 + 2 / (n + 1)) * expected;
    const along = Math.sqrt(cC * (2 - cC) * muEff);
    this.#pathC = this.#pathC.map((p, i) => (1 - cC) * p + (isCalm ? along * move[i]! : 0));
    const lost = isCalm ? 0 : cC * (2 - cC);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let rankMu = 0;
        for (let k = 0; k < steps.length; k++) rankMu += this.#weights[k]! * steps[k]![i]! * steps[k]![j]!;
        const value =
          (1 - c1 - cMu + c1 * lost) * this.#c[i * n + j]! +
          c1 * this.#pathC[i]! * this.#pathC[j]! +
          cMu * rankMu;
        this.#c[i * n + j] = value;
        this.#c[j * n + i] = value;
      }
    }
    this.sigma *= Math.exp(Math.min(1, (cSigma / dSigma) * (length / expected - 1)));
    const { values, vectors } = symmetricEigen(this.#c, n);
    this.#axes = vectors;
    this.#scales = values.map((value) => Math.sqrt(Math.max(value, 1e-20)));
  }

  /** C^(−1/2) times a vector. */
  #whiten(vector: Float64Array): Float64Array {
    const n = this.#n;
    const inner = vector.map((_, j) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += this.#axes[i * n + j]! * vector[i]!;
      return sum / this.#scales[j]!;
    });
    return vector.map((_, i) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += this.#axes[i * n + j]! * inner[j]!;
      return sum;
    });
  }
}
