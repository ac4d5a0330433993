import { describe, expect, test } from "vitest";
import type { Params } from "../../../../src/core/params.ts";
import { ParzenMixture } from "../../../../src/search/searchers/tpe/parzen-mixture.ts";
import { compileSpace } from "../../../../src/search/space/compile-space.ts";
import { allPoints, encodePoint } from "../../../../src/search/space/points.ts";
import { integer, oneOf, parameter, problem, uniform } from "../problem.ts";

function mixtureOf(space: ReturnType<typeof compileSpace>, points: Params[], width: number): ParzenMixture {
  return new ParzenMixture(
    space,
    points.map((point) => encodePoint(space, point)),
    {
      weights: points.map((_, i) => 1 + i),
      priorWeight: 1,
      widths: space.axes.map(() => width),
    },
  );
}

describe("a Parzen mixture", () => {
  test("over two continuous axes integrates to one, with kernels cut off at the edges", () => {
    const space = compileSpace(problem([parameter("x", uniform(0, 1)), parameter("y", uniform(0, 1))]));
    const mixture = mixtureOf(
      space,
      [
        { x: 0.02, y: 0.5 },
        { x: 0.9, y: 0.99 },
      ],
      0.1,
    );
    let sum = 0;
    const n = 200;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) sum += Math.exp(mixture.logDensity({ x: (i + 0.5) / n, y: (j + 0.5) / n }));
    }
    expect(sum / n ** 2).toBeCloseTo(1, 4);
  });

  test("over choices, integers and what they switch on sums to one", () => {
    const space = compileSpace(
      problem([
        parameter("kind", { kind: "categorical", values: ["a", "b", "c"], probabilities: [0.5, 0.3, 0.2] }),
        parameter("layers", integer(1, 7), { when: "kind == 'a'" }),
        parameter(
          "share",
          { kind: "uniform", min: 0.1, max: 1, scale: "log", step: 0.1 },
          { when: "kind != 'a'" },
        ),
      ]),
    );
    const observed: Params[] = [
      { kind: "a", layers: 7 },
      { kind: "b", share: 0.2 },
      { kind: "a", layers: 3 },
    ];
    for (const width of [0.03, 0.2, 3]) {
      const mixture = mixtureOf(space, observed, width);
      let sum = 0;
      for (const point of allPoints(space)) sum += Math.exp(mixture.logDensity(point));
      // Cells much narrower than a kernel are taken by their middle, which costs up to 1e-4.
      expect(sum).toBeCloseTo(1, 3);
    }
  });

  test("draws points as often as its density says", () => {
    const space = compileSpace(
      problem([parameter("k", integer(1, 5)), parameter("flag", oneOf(true, false))]),
    );
    const mixture = mixtureOf(space, [{ k: 2, flag: false }], 0.15);
    let state = 1;
    const next = () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const counts = new Map<string, number>();
    for (let i = 0; i < 20_000; i++) {
      const key = JSON.stringify(mixture.sample(next));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const point of allPoints(space)) {
      const often = counts.get(JSON.stringify({ flag: point.flag, k: point.k })) ?? 0;
      expect(Math.abs(often / 20_000 - Math.exp(mixture.logDensity(point)))).toBeLessThan(0.02);
    }
  });
});
