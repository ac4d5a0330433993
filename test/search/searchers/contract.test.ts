import { describe, expect, test } from "vitest";
import type { Params } from "../../../src/core/params.ts";
import type { Search, SpaceParameter } from "../../../src/core/space.ts";
import { admitsPoint } from "../../../src/plan/admits-point.ts";
import { searchers } from "../../../src/search/searchers/index.ts";
import type { Evaluation, Searcher } from "../../../src/search/searchers/searcher.ts";
import { pointKey } from "../../../src/search/space/points.ts";
import { done, integer, oneOf, parameter, problemFor, search, uniform } from "./problem.ts";

/** A small finite space for grids; numbers only, as cmaes wants them, for all others. */
const lattice = [parameter("a", integer(1, 4)), parameter("b", integer(0, 2))];
const conditional = (searcher: Searcher): SpaceParameter[] => [
  parameter("kind", searcher.name === "cmaes" ? integer(0, 1) : oneOf(0, 1)),
  parameter("x", searcher.name === "grid" ? integer(0, 9) : uniform(0, 1), { when: "kind == 1" }),
  parameter("depth", integer(1, 8)),
];
const loss = (params: Params) => Number(params.depth) + (params.kind === 1 ? Number(params.x) : 0.5);

describe.each(Object.values(searchers))("the searcher $name", (searcher) => {
  test("proposes the same points for the same history and seed, whatever it was asked before", () => {
    const space = conditional(searcher);
    const history = search(searcher, problemFor(searcher, space), { runs: 16, at: loss });
    const again = problemFor(searcher, space);
    expect(searcher.ask(history, 3, again)).toEqual(searcher.ask(structuredClone(history), 3, again));
    const half = history.slice(0, 8);
    expect(searcher.ask(half, 1, again)[0]).toEqual(history[8]!.params);
  });

  test("proposes no point twice, nor one that is in flight", () => {
    const on = problemFor(searcher, conditional(searcher));
    const batch = searcher.ask([], 12, on);
    const inFlight: Evaluation[] = batch.map((params) => ({ params, state: "pending", values: [] }));
    const next = searcher.ask(inFlight, 4, on);
    expect(new Set([...batch, ...next].map(pointKey)).size).toBe(16);
  });

  test("gives one after another what it gives at once", () => {
    const on = problemFor(searcher, conditional(searcher));
    const history = search(searcher, on, { runs: 12, at: loss });
    const [first, second] = searcher.ask(history, 2, on);
    const pending: Evaluation = { params: first!, state: "pending", values: [] };
    expect(searcher.ask(history, 1, on)).toEqual([first]);
    expect(searcher.ask([...history, pending], 1, on)).toEqual([second]);
  });

  test("gives a parameter only where its condition holds, and all others always", () => {
    const history = search(searcher, problemFor(searcher, conditional(searcher)), { runs: 20, at: loss });
    for (const { params } of history) {
      expect("x" in params, JSON.stringify(params)).toBe(params.kind === 1);
      expect(Number.isInteger(params.depth)).toBe(true);
    }
    expect(new Set(history.map(({ params }) => params.kind)).size).toBe(2);
  });

  test("proposes only what satisfies where", () => {
    const on = problemFor(searcher, lattice, { where: "a > b + 1" });
    const history = search(searcher, on, { runs: 20, at: ({ a, b }) => Number(a) - Number(b) });
    expect(history.every(({ params: { a, b } }) => Number(a) > Number(b) + 1)).toBe(true);
    // a=2: b=0; a=3: b=0,1; a=4: b=0,1,2.
    expect(history).toHaveLength(6);
  });

  test("proposes only points by which a report knows the search's runs", () => {
    const scale = (distribution: object) => ({ ...distribution, scale: "log" }) as never;
    const space = [
      ...conditional(searcher),
      parameter("log", searcher.name === "grid" ? integer(1, 3) : scale(uniform(1e-3, 10))),
      parameter("grid", { kind: "uniform", min: 0.05, max: 0.5, scale: "linear", step: 0.1, anchor: 0 }),
    ];
    const admits = admitsPoint({ space } as unknown as Search);
    const history = search(searcher, problemFor(searcher, space), { runs: 40, at: loss });
    expect(history.filter(({ params }) => !admits(params))).toEqual([]);
    expect(history).toHaveLength(40);
  });

  test("ends when a finite space is used up, after each point once", () => {
    const history = search(searcher, problemFor(searcher, lattice), { runs: 50, at: ({ a }) => Number(a) });
    expect(history).toHaveLength(12);
    expect(new Set(history.map(({ params }) => pointKey(params))).size).toBe(12);
    expect(searcher.ask(history, 1, problemFor(searcher, lattice))).toEqual([]);
  });

  test("says so where no point satisfies where", () => {
    const on = problemFor(searcher, lattice, { where: "a + b > 100" });
    expect(() => searcher.ask([], 1, on)).toThrow(/no point of the space satisfies where: a \+ b > 100/);
  });

  test("goes on when every run fails, and when values are not numbers", () => {
    const on = problemFor(searcher, conditional(searcher));
    const history: Evaluation[] = [];
    for (let i = 0; i < 30; i++) {
      const [params] = searcher.ask(history, 1, on);
      const failed: Evaluation = { params: params!, state: "failed", values: [] };
      history.push(i % 3 === 0 ? done(params!, Number.NaN) : failed);
    }
    expect(new Set(history.map(({ params }) => pointKey(params))).size).toBe(30);
  });

  test("works with several objectives, constraints and standard errors", () => {
    const on = problemFor(searcher, conditional(searcher), {
      objectives: [
        { metric: "loss", goal: "minimize" },
        { metric: "quality", goal: "maximize" },
      ],
    });
    const history: Evaluation[] = [];
    for (let i = 0; i < 20; i++) {
      const params = searcher.ask(history, 1, on)[0]!;
      history.push({
        ...done(params, loss(params), Number(params.depth)),
        standardErrors: [0.1, Number.NaN],
        n: 3,
        violation: Number(params.depth) > 6 ? Number(params.depth) - 6 : 0,
      });
    }
    expect(new Set(history.map(({ params }) => pointKey(params))).size).toBe(20);
  });

  test("other seeds give other points, unless it is a grid", () => {
    const space = conditional(searcher);
    const [one, two] = [1, 2].map((seed) => searcher.ask([], 8, problemFor(searcher, space, { seed })));
    if (searcher.name === "grid") expect(one).toEqual(two);
    else expect(one).not.toEqual(two);
  });

  test("hands out nothing when asked for nothing", () => {
    expect(searcher.ask([], 0, problemFor(searcher, lattice))).toEqual([]);
  });
});

describe("searchers with a model", () => {
  const withModel = ["tpe", "gp", "cmaes", "auto"].map((name) => searchers[name]!);

  test.each(withModel)("$name begins with the point of all defaults", (searcher) => {
    const space = [
      parameter("a", integer(1, 9), { default: 7 }),
      parameter("x", uniform(0, 1), { default: 0.125 }),
    ];
    expect(searcher.ask([], 1, problemFor(searcher, space))).toEqual([{ a: 7, x: 0.125 }]);
  });

  test.each(withModel)("$name comes to avoid where runs fail", (searcher) => {
    const on = problemFor(searcher, [parameter("x", uniform(0, 1)), parameter("y", uniform(0, 1))]);
    const history: Evaluation[] = [];
    for (let i = 0; i < 60; i++) {
      const params = searcher.ask(history, 1, on)[0]!;
      const failed: Evaluation = { params, state: "failed", values: [] };
      history.push(Number(params.x) > 0.5 ? failed : done(params, Number(params.y)));
    }
    const late = history.slice(30).filter(({ state }) => state === "failed").length;
    // By chance half of them would fail.
    expect(late).toBeLessThan(10);
  });

  test.each(withModel)("$name maximises where that is the goal", (searcher) => {
    const on = problemFor(searcher, [parameter("x", uniform(0, 1)), parameter("y", uniform(0, 1))], {
      objectives: [{ metric: "gain", goal: "maximize" }],
    });
    const gain = ({ x, y }: Params) => 1 - (Number(x) - 0.2) ** 2 - (Number(y) - 0.7) ** 2;
    const history = search(searcher, on, { runs: 60, at: gain });
    expect(Math.max(...history.map(({ values }) => values[0]!))).toBeGreaterThan(0.99);
  });
});
