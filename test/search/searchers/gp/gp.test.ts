import { describe, expect, test } from "vitest";
import { logExpectedImprovement } from "../../../../src/search/searchers/gp/acquisition.ts";
import { GaussianProcessModel } from "../../../../src/search/searchers/gp/gaussian-process-model.ts";
import { fitHyperparameters, makeLogPosterior } from "../../../../src/search/searchers/gp/hyperparameters.ts";
import { normaliseLosses } from "../../../../src/search/searchers/gp/losses.ts";
import { minimise } from "../../../../src/search/searchers/gp/minimise.ts";

const at = (...xs: number[]) => Float64Array.from(xs);

describe("a Gaussian process", () => {
  test("has the posterior that two points give by hand", () => {
    const length = 0.5;
    const k = (gap: number) => {
      const r = (Math.sqrt(5) * gap) / length;
      return 2 * (1 + r + (r * r) / 3) * Math.exp(-r);
    };
    const process = new GaussianProcessModel(
      { codes: [at(0.1), at(0.6)], values: [1, -1], errorVariances: [0.2, 0.05], ordered: [true] },
      { lengths: at(length), signalVariance: 2, noiseVariance: 0.1 },
    );
    const [a, b, c] = [k(0) + 0.3, k(0.5), k(0) + 0.15];
    const [p, q] = [k(0.2), k(0.3)];
    const det = a * c - b * b;
    const mean = (p * (c * 1 + b * 1) + q * (-b * 1 - a * 1)) / det;
    const variance = 2 - (p * (c * p - b * q) + q * (a * q - b * p)) / det;
    expect(process.posterior(at(0.3)).mean).toBeCloseTo(mean, 7);
    expect(process.posterior(at(0.3)).variance).toBeCloseTo(variance, 7);
    expect(process.fitted()[0]).toBeCloseTo(process.posterior(at(0.1)).mean, 7);
  });

  test("keeps choices and inactive parameters apart", () => {
    const process = new GaussianProcessModel(
      {
        codes: [at(0, 0.5), at(1, Number.NaN)],
        values: [3, -3],
        errorVariances: [0, 0],
        ordered: [false, true],
      },
      { lengths: at(0.3, 0.3), signalVariance: 9, noiseVariance: 1e-6 },
    );
    expect(process.posterior(at(0, 0.5)).mean).toBeCloseTo(3, 3);
    expect(process.posterior(at(1, Number.NaN)).mean).toBeCloseTo(-3, 3);
    expect(process.posterior(at(2, 0.5)).variance).toBeGreaterThan(1);
  });

  test("finds the noise and the axis that does not matter", () => {
    const wave = (i: number) => Math.abs(Math.sin(i * 12.9898) * 43758.5453) % 1;
    const codes = Array.from({ length: 60 }, (_, i) => at(wave(2 * i), wave(2 * i + 1)));
    const noise = codes.map((_, i) => [0.4, -0.4][Math.floor(2 * wave(500 + i))]!);
    const hyper = fitHyperparameters({
      codes,
      values: codes.map(([x], i) => Math.sin(7 * x!) * 1.3 + noise[i]!),
      errorVariances: codes.map(() => 0),
      ordered: [true, true],
    });
    expect(hyper.noiseVariance).toBeGreaterThan(0.08);
    expect(hyper.noiseVariance).toBeLessThan(0.3);
    expect(hyper.lengths[1]! / hyper.lengths[0]!).toBeGreaterThan(2);
  });

  test("has the gradient of its likelihood that differences give", () => {
    const f = makeLogPosterior(
      {
        codes: [at(0.1, 0), at(0.4, 1), at(0.9, 0), at(0.55, 2)],
        values: [0.3, -1, 1.2, 0],
        errorVariances: [0, 0.1, 0, 0],
        ordered: [true, false],
      },
      { means: at(-0.5, -0.5, 0, -6), sds: at(1, 1, 1, 3) },
    );
    const logs = at(-1, 0.2, 0.4, -2);
    const gradient = new Float64Array(4);
    f(logs, gradient);
    const none = new Float64Array(4);
    for (let i = 0; i < 4; i++) {
      const [up, down] = [1e-5, -1e-5].map((step) =>
        f(
          logs.map((v, j) => (i === j ? v + step : v)),
          none,
        ),
      );
      expect(gradient[i]).toBeCloseTo((up! - down!) / 2e-5, 5);
    }
  });
});

describe("minimising", () => {
  test("finds the bottom of Rosenbrock's valley, and the edge where the bottom lies outside", () => {
    const valley = (x: Float64Array, gradient: Float64Array) => {
      const bend = x[1]! - x[0]! ** 2;
      gradient[0] = -400 * x[0]! * bend - 2 * (1 - x[0]!);
      gradient[1] = 200 * bend;
      return 100 * bend ** 2 + (1 - x[0]!) ** 2;
    };
    const wide = { low: at(-5, -5), high: at(5, 5), steps: 200 };
    expect(minimise(valley, at(-1.2, 1), wide).value).toBeLessThan(1e-3);
    const { x } = minimise(valley, at(-1.2, 1), { ...wide, high: at(0.5, 5) });
    expect(x[0]).toBeLessThanOrEqual(0.5);
  });
});

describe("expected improvement", () => {
  test.each([-3, -0.5, 0, 0.7, 2])("is the integral that defines it, best %f above the mean", (best) => {
    const [mean, sd] = [0.2, 0.8];
    let sum = 0;
    const n = 400_000;
    for (let i = 0; i < n; i++) {
      const x = mean - 12 * sd + ((i + 0.5) / n) * 24 * sd;
      const density = Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI));
      sum += Math.max(0, best - x) * density;
    }
    expect(logExpectedImprovement(best, mean, sd * sd)).toBeCloseTo(Math.log((sum * 24 * sd) / n), 4);
  });

  test("still orders points where the improvement itself would be 0", () => {
    const [far, farther] = [-60, -61].map((best) => logExpectedImprovement(best, 0, 1));
    expect(far).toBeGreaterThan(farther!);
    expect(Number.isFinite(farther)).toBe(true);
    // Both formulas meet at ten standard deviations.
    expect(logExpectedImprovement(-9.9999, 0, 1) - logExpectedImprovement(-10.0001, 0, 1)).toBeCloseTo(
      0.0002 * 10.2,
      4,
    );
  });
});

describe("losses for a process", () => {
  test("keep their order and become standard", () => {
    const losses = [3, 1, 4, 1.5, 900, 2.6, 53, 58, 9, 79_000];
    const { values } = normaliseLosses(losses);
    const order = (xs: ArrayLike<number>) => Array.from(xs, (_, i) => i).sort((i, j) => xs[i]! - xs[j]!);
    expect(order(values)).toEqual(order(losses));
    expect(values.reduce((sum, x) => sum + x, 0)).toBeCloseTo(0, 9);
    // The plain standard score of the largest of ten is 2.85 with an outlier like this.
    expect(Math.max(...values)).toBeLessThan(2.5);
  });

  test("stretch by the slope of the transformation", () => {
    const losses = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
    const { stretches } = normaliseLosses(losses);
    expect(stretches[0]! / stretches[9]!).toBeGreaterThan(5);
  });

  test("that are all equal are all 0", () => {
    expect([...normaliseLosses([2, 2, 2]).values]).toEqual([0, 0, 0]);
  });
});
