import { describe, expect, test } from "vitest";
import { FUNCTIONS } from "../../../bench/search/functions.ts";
import { searchers } from "../../../src/search/searchers/index.ts";
import { least, problemFor, search } from "./problem.ts";

function meanRegret(
  name: string,
  functionName: string,
  { runs, seeds }: { runs: number; seeds: number },
): number {
  const { space, at, least: known } = FUNCTIONS[functionName]!;
  let sum = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const history = search(searchers[name]!, problemFor(searchers[name]!, space, { seed }), { runs, at });
    sum += least(history) - known;
  }
  return sum / seeds;
}

describe("searchers find published optima", () => {
  test("the functions have their published least values where they should", () => {
    expect(FUNCTIONS.branin!.at({ x0: Math.PI, x1: 2.275 })).toBeCloseTo(0.397887, 6);
    const best6 = [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573];
    const at6 = Object.fromEntries(best6.map((x, i) => [`x${i}`, x]));
    expect(FUNCTIONS.hartmann6!.at(at6)).toBeCloseTo(-3.32237, 5);
    expect(FUNCTIONS.noisy!.at({ x0: 0.114614, x1: 0.555649, x2: 0.852547 })).toBeCloseTo(-3.86278, 5);
    expect(FUNCTIONS.rosenbrock4!.at({ x0: 1, x1: 1, x2: 1, x3: 1 })).toBe(0);
    expect(FUNCTIONS.ackley5!.at({ x0: 0, x1: 0, x2: 0, x3: 0, x4: 0 })).toBeCloseTo(0, 12);
  });

  // Random search is at 0.9 and 1.6 after 50 runs.
  test("gp, Branin in 40 runs", () => {
    expect(meanRegret("gp", "branin", { runs: 40, seeds: 3 })).toBeLessThan(0.05);
  });
  test("auto, Hartmann-6 in 60 runs", () => {
    expect(meanRegret("auto", "hartmann6", { runs: 60, seeds: 2 })).toBeLessThan(0.4);
  });
  test("tpe, Branin in 100 runs", () => {
    expect(meanRegret("tpe", "branin", { runs: 100, seeds: 5 })).toBeLessThan(0.3);
  });
  test("tpe, a conditional space in 100 runs", () => {
    expect(meanRegret("tpe", "mixed", { runs: 100, seeds: 5 })).toBeLessThan(0.06);
  });
  test("tpe, from a thousand random points of Branin", () => {
    const { space, at } = FUNCTIONS.branin!;
    const on = problemFor(searchers.tpe!, space);
    const history = search(searchers.random!, on, { runs: 1000, at });
    const next = searchers.tpe!.ask(history, 10, on).map(at);
    const sorted = history.map(({ values }) => values[0]!).sort((a, b) => a - b);
    // Most of them among the best twentieth of what chance gave.
    expect(next.filter((value) => value < sorted[50]!).length).toBeGreaterThanOrEqual(6);
  });
  test("sobol, Branin in 200 runs", () => {
    expect(meanRegret("sobol", "branin", { runs: 200, seeds: 3 })).toBeLessThan(1.5);
  });
});
