import { describe, expect, test } from "vitest";
import { symmetricEigen } from "../../../../src/search/searchers/cmaes/symmetric-eigen.ts";
import { searchers } from "../../../../src/search/searchers/index.ts";
import type { Evaluation } from "../../../../src/search/searchers/searcher.ts";
import { done, integer, least, oneOf, parameter, problemFor, search, uniform } from "../problem.ts";

const cmaes = searchers.cmaes!;
const cube = (n: number) => Array.from({ length: n }, (_, i) => parameter(`x${i}`, uniform(-4, 6)));

describe("CMA-ES", () => {
  test("descends an ellipsoid whose axes differ by a factor of a thousand", () => {
    const on = problemFor(cmaes, cube(4));
    const ellipsoid = (params: Record<string, unknown>) =>
      [0, 1, 2, 3].reduce((sum, i) => sum + 1000 ** (i / 3) * (Number(params[`x${i}`]) - 1) ** 2, 0);
    const history = search(cmaes, on, { runs: 400, at: ellipsoid });
    const chance = search(searchers.random!, on, { runs: 400, at: ellipsoid });
    expect(least(history)).toBeLessThan(least(chance) / 50);
    expect(least(history)).toBeLessThan(1);
  });

  test("draws more of a generation while its points are in flight, and learns from those that finish first", () => {
    const on = problemFor(cmaes, cube(2));
    const batch = cmaes.ask([], 12, on);
    const history = (finished: number): Evaluation[] => [
      ...batch.slice(0, finished).map((params) => done(params, Number(params.x0))),
      ...batch.slice(finished).map((params): Evaluation => ({ params, state: "pending", values: [] })),
    ];
    // A generation in two dimensions has six points.
    expect(cmaes.ask(history(5), 1, on)).toEqual(cmaes.ask(history(0), 1, on));
    const next = cmaes.ask(history(6), 1, on);
    expect(next).not.toEqual(cmaes.ask(history(5), 1, on));
    expect(cmaes.ask(history(9), 1, on)).toEqual(next);
  });

  test("finds the best integers", () => {
    const on = problemFor(cmaes, [parameter("a", integer(0, 50)), parameter("b", integer(0, 50))]);
    const history = search(cmaes, on, {
      runs: 150,
      at: ({ a, b }) => (Number(a) - 37) ** 2 + (Number(b) - 5) ** 2,
    });
    expect(least(history)).toBe(0);
  });

  test("refuses what has no order", () => {
    expect(() => cmaes.ask([], 1, problemFor(cmaes, [parameter("kind", oneOf("a", "b"))]))).toThrow(
      /can't order the values of "kind".*Take tpe/,
    );
  });
});

describe("eigenvalues", () => {
  test("of a symmetric matrix are those known, with vectors that make it diagonal", () => {
    // Eigenvalues of the second-difference matrix of order 4: 2 − 2 cos(kπ/5).
    const n = 4;
    const matrix = Float64Array.from({ length: 16 }, (_, at) => {
      const gap = Math.abs(Math.floor(at / n) - (at % n));
      return gap === 0 ? 2 : gap === 1 ? -1 : 0;
    });
    const { values, vectors } = symmetricEigen(matrix, n);
    const expected = [1, 2, 3, 4].map((k) => 2 - 2 * Math.cos((k * Math.PI) / 5));
    for (const [i, value] of values.toSorted().entries()) expect(value).toBeCloseTo(expected[i]!, 10);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += matrix[i * n + k]! * vectors[k * n + j]!;
        expect(sum).toBeCloseTo(values[j]! * vectors[i * n + j]!, 10);
      }
    }
  });
});
