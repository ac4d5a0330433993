import { describe, expect, it } from "vitest";
import { slowdowns, stepMs } from "../../../src/farm/spatial/comprehensive.ts";
import { Crowd, drawPlaces, PATTERNS } from "../../../src/farm/spatial/crowd.ts";
import { fitExponent } from "../../../src/farm/spatial/performance-analyzer.ts";
import type { Points } from "../../../src/farm/spatial/spatial-index.ts";

const drawing = { count: 400, worldSize: 50, seed: 3, purpose: "test" };

/** Mean over all of the distance to the nearest other. */
function meanNearest({ x, y }: Points): number {
  const nearest = [...x].map((px, i) =>
    Math.min(
      ...[...x].map((qx, j) => (i === j ? Number.POSITIVE_INFINITY : Math.hypot(px - qx, y[i]! - y[j]!))),
    ),
  );
  return nearest.reduce((sum, distance) => sum + distance, 0) / nearest.length;
}

describe("places", () => {
  it.each(PATTERNS)("that are %s lie in the world, the same for the same seed", (pattern) => {
    const places = drawPlaces(pattern, drawing);
    for (const at of [...places.x, ...places.y]) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(50);
    }
    expect(drawPlaces(pattern, drawing)).toEqual(places);
    expect(places.x).toHaveLength(400);
  });

  it("are as far apart as their pattern says", () => {
    // Clark and Evans 1954: the mean distance to the nearest of n random places on an area A is sqrt(A / n) / 2.
    const random = meanNearest(drawPlaces("random", drawing));
    expect(random).toBeGreaterThan(0.5 * Math.sqrt(2500 / 400) * 0.9);
    expect(random).toBeLessThan(0.5 * Math.sqrt(2500 / 400) * 1.15);
    expect(meanNearest(drawPlaces("uniform", drawing))).toBeCloseTo(50 / 20, 9);
    expect(meanNearest(drawPlaces("linear", drawing))).toBeCloseTo((50 / 400) * Math.SQRT2, 9);
    expect(meanNearest(drawPlaces("clustered", drawing))).toBeLessThan(random / 2);
  });
});

describe("a crowd", () => {
  const options = { agents: 90, worldSize: 20, distribution: "uniform", movingShare: 0.3, seed: 1 } as const;

  it("moves its share, each once, by at most one unit, and stays in the world", () => {
    const crowd = new Crowd(options);
    const everMoved = new Set<number>();
    for (let step = 0; step < 50; step++) {
      const [x, y] = [crowd.points.x.slice(), crowd.points.y.slice()];
      crowd.step();
      expect(new Set(crowd.moved).size).toBe(27);
      for (const agent of x.keys()) {
        const isMoved = crowd.points.x[agent] !== x[agent] || crowd.points.y[agent] !== y[agent];
        expect(!isMoved || crowd.moved.includes(agent)).toBe(true);
        expect(Math.abs(crowd.points.x[agent]! - x[agent]!)).toBeLessThanOrEqual(1);
        expect(crowd.points.x[agent]).toBeGreaterThanOrEqual(0);
        expect(crowd.points.x[agent]).toBeLessThanOrEqual(20);
        if (isMoved) everMoved.add(agent);
      }
    }
    expect(everMoved.size).toBe(90);
  });

  it("goes the same way when it begins anew", () => {
    const crowd = new Crowd(options);
    const walk = () => {
      crowd.begin();
      for (let step = 0; step < 10; step++) crowd.step();
      return { x: [...crowd.points.x], y: [...crowd.points.y], moved: [...crowd.moved] };
    };
    expect(walk()).toEqual(walk());
  });
});

describe("the exponent", () => {
  const sizes = [100, 200, 400, 800];

  it("of a power law is found exactly, without an error", () => {
    const fit = fitExponent(
      sizes,
      sizes.map((size) => 3 * size ** 1.5),
    )!;
    expect(fit.exponent).toBeCloseTo(1.5, 12);
    expect(fit.standardError).toBeCloseTo(0, 7);
  });

  it("of scattered times has the textbook's standard error", () => {
    // In units of log 2 the sizes are 0, 1, 2, 3; residuals 1, -1, -1, 1 are orthogonal to the line, so the slope stays 1
    // and its error is sqrt(sum of squares / (n - 2) / sxx) = sqrt(4 / 2 / 5).
    const times = sizes.map((size, i) => size * 2 ** [1, -1, -1, 1][i]!);
    const fit = fitExponent(sizes, times)!;
    expect(fit.exponent).toBeCloseTo(1, 12);
    expect(fit.standardError).toBeCloseTo(Math.sqrt(4 / 2 / 5), 12);
  });

  it("is unknown from one size, and its error from two", () => {
    expect(fitExponent([100, 100], [1, 2])).toBeNull();
    expect(fitExponent([100, 200], [1, 2])).toEqual({ exponent: expect.closeTo(1, 12), standardError: null });
  });
});

describe("the slowdown", () => {
  const one = (algorithm: "brute" | "rbush", agents: number, updateMs: number) => ({
    ...{ algorithm, agents, worldSize: 10, buildMs: 1, updateMs, rangeUs: [100, 200], nearestUs: 300 },
    ...{ found: [], nearestSum: 0, bytes: 0 },
  });

  it("is over the best step of each world, and worlds count alike", () => {
    // Ten queries of each kind take 6 ms, so steps take 8 and 16 ms, then 10 and 10.
    const all = [one("brute", 5, 2), one("rbush", 5, 10), one("brute", 9, 4), one("rbush", 9, 4)];
    expect(stepMs(all[0]!, 10)).toBeCloseTo(8, 12);
    expect(slowdowns(all, 10)).toEqual({
      "slowdown.brute": expect.closeTo(1, 12),
      "slowdown.rbush": expect.closeTo(Math.SQRT2, 12),
    });
  });

  it("is not told of one index alone", () => {
    expect(slowdowns([one("brute", 5, 2)], 10)).toEqual({});
  });
});
