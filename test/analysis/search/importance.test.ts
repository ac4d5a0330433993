import { describe, expect, test } from "vitest";
import { parameterImportance } from "../../../src/analysis/search/importance.ts";
import { parameterColumns } from "../../../src/analysis/search/parameter-columns.ts";
import type { Params } from "../../../src/core/params.ts";
import { RandomStream } from "../../../src/core/random.ts";
import type { Distribution, SpaceParameter } from "../../../src/core/space.ts";

const UNIT: Distribution = { kind: "uniform", min: 0, max: 1, scale: "linear" };

function space(distributions: Record<string, Distribution>): SpaceParameter[] {
  return Object.entries(distributions).map(([name, distribution]) => ({ name, path: [name], distribution }));
}

function importanceOf(
  parameters: SpaceParameter[],
  {
    count,
    draw,
    loss,
  }: { count: number; draw: (next: () => number) => Params; loss: (point: Record<string, number>) => number },
) {
  const next = new RandomStream(7, "test points").sequence();
  const points = Array.from({ length: count }, () => ({ params: draw(next) }));
  const found = parameterImportance(
    parameterColumns(parameters, points),
    points.map(({ params }) => loss(params as Record<string, number>)),
  );
  if (!found.known) throw new Error(found.why);
  const shares = Object.fromEntries(found.parameters.map(({ name, share }) => [name, share]));
  const intervalOf = (name: string) => {
    const { interval } = found.parameters.find((one) => one.name === name)!;
    if (!interval.known) throw new Error(interval.why);
    return interval;
  };
  return { ...found, shares, intervalOf, order: found.parameters.map(({ name }) => name) };
}

const three = space({ x1: UNIT, x2: UNIT, x3: UNIT });
const drawThree = (next: () => number) => ({ x1: next(), x2: next(), x3: next() });

describe("the importance of a parameter", () => {
  test("orders 10 x1 + x2 and leaves out what plays no part", () => {
    const { order, intervalOf, shares, explained } = importanceOf(three, {
      ...{ count: 200, draw: drawThree },
      loss: ({ x1, x2 }) => 10 * x1! + x2!,
    });
    expect(order[0]).toBe("x1");
    // 100/101 of the variance in theory.
    expect(shares.x1).toBeGreaterThan(0.9);
    expect(intervalOf("x1").low).toBeGreaterThan(0.5);
    expect(intervalOf("x3").low).toBeLessThanOrEqual(0);
    expect(intervalOf("x3").high).toBeLessThan(0.02);
    expect(explained).toBeGreaterThan(0.95);
  });

  test("comes near the shares of an additive function: 16/25 and 9/25", () => {
    const { shares, intervalOf } = importanceOf(three, {
      ...{ count: 500, draw: drawThree },
      loss: ({ x1, x2 }) => 4 * x1! + 3 * x2!,
    });
    expect(Math.abs(shares.x1! - 0.64)).toBeLessThan(0.08);
    expect(Math.abs(shares.x2! - 0.36)).toBeLessThan(0.08);
    expect(intervalOf("x3").low).toBeLessThanOrEqual(0);
  });

  test("counts an interaction for both: a product of signs has no main effects and total effects of 1", () => {
    const { shares } = importanceOf(three, {
      ...{ count: 500, draw: drawThree },
      loss: ({ x1, x2 }) => (x1! < 0.5 === x2! < 0.5 ? 1 : 0),
    });
    expect(shares.x1).toBeGreaterThan(0.7);
    expect(shares.x2).toBeGreaterThan(0.7);
    expect(shares.x3).toBeLessThan(0.1);
  });

  test("finds noise unimportant: most intervals of parameters that do nothing hold 0", () => {
    let holding = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const next = new RandomStream(seed, "noise").sequence();
      const points = Array.from({ length: 60 }, () => ({ params: drawThree(next) }));
      const found = parameterImportance(
        parameterColumns(three, points),
        points.map(() => next()),
      );
      if (!found.known) throw new Error(found.why);
      for (const { interval } of found.parameters) if (interval.known && interval.low <= 0) holding++;
    }
    expect(holding).toBeGreaterThanOrEqual(54);
  });

  test("takes categories without an order, and being inactive as a value of its own", () => {
    const parameters = space({
      kind: { kind: "categorical", values: ["b", "a", "d", "c"] },
      depth: { kind: "integer", min: 1, max: 9, scale: "linear", step: 1 },
      other: UNIT,
    });
    const { shares, order } = importanceOf(parameters, {
      count: 300,
      draw: (next) => {
        const kind = "abcd"[Math.floor(next() * 4)]!;
        const other = next();
        return kind === "a" || kind === "c"
          ? { kind, other }
          : { kind, other, depth: 1 + Math.floor(next() * 9) };
      },
      // Whether there is a depth decides, which the kind tells too.
      loss: ({ depth = -10 }) => depth,
    });
    expect(order.at(-1)).toBe("other");
    expect(Math.abs(shares.other!)).toBeLessThan(0.02);
    expect(shares.depth).toBeGreaterThan(0.3);
  });

  test("is the same on a logarithmic scale, since only the order counts", () => {
    const draw = (next: () => number) => ({ lr: 10 ** (-6 + 5 * next()), y: next() });
    const loss = ({ lr, y }: Record<string, number>) => Math.log10(lr!) ** 2 + y!;
    const log = importanceOf(space({ lr: { ...UNIT, scale: "log", min: 1e-6, max: 0.1 }, y: UNIT }), {
      ...{ count: 100, draw, loss },
    });
    const linear = importanceOf(space({ lr: { ...UNIT, min: 1e-6, max: 0.1 }, y: UNIT }), {
      ...{ count: 100, draw, loss },
    });
    expect(log.shares).toEqual(linear.shares);
    expect(log.shares.lr).toBeGreaterThan(0.9);
  });

  test("is not taken over by a few points that diverged", () => {
    const { shares, clipped } = importanceOf(three, {
      ...{ count: 200, draw: drawThree },
      loss: ({ x1, x3 }) => (x3! > 0.98 ? 1e9 : x1!),
    });
    expect(clipped).toBeGreaterThan(0);
    expect(shares.x1).toBeGreaterThan(0.4);
  });

  test("is unknown with few points, one value, or nothing that varies", () => {
    const points = Array.from({ length: 30 }, (_, i) => ({ params: { x1: i / 30 } }));
    const columns = parameterColumns(space({ x1: UNIT }), points);
    expect(parameterImportance(columns, new Array(30).fill(5))).toMatchObject({ known: false });
    const few = parameterColumns(space({ x1: UNIT }), points.slice(0, 10));
    expect(parameterImportance(few, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toMatchObject({
      known: false,
      why: expect.stringContaining("too few"),
    });
    expect(parameterImportance([], [1, 2])).toMatchObject({ known: false });
  });
});
