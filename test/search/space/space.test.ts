import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Distribution } from "../../../src/core/space.ts";
import { grid } from "../../../src/search/searchers/grid.ts";
import { random } from "../../../src/search/searchers/random.ts";
import { compileSpace, makeDomain } from "../../../src/search/space/compile-space.ts";
import { integer, oneOf, parameter, problem, uniform } from "../searchers/problem.ts";

const domain = (distribution: Distribution) => makeDomain(parameter("p", distribution));
const draws = (distribution: Distribution, count = 4000) =>
  random
    .ask([], count, problem([parameter("p", distribution), parameter("free", uniform(0, 1))]))
    .map(({ p }) => p as number);
const share = <T>(values: T[], holds: (value: T) => boolean) => values.filter(holds).length / values.length;

describe("a distribution", () => {
  test("that is uniform, logarithmic or the inverse of it has its median in the middle of its scale", () => {
    expect(domain(uniform(2, 6)).valueAt(0.5)).toBe(4);
    for (const scale of ["log", "inverse-log"] as const) {
      const log = domain({ kind: "uniform", min: 1e-4, max: 1, scale });
      expect(log.valueAt(0.5)).toBeCloseTo(1e-2, 12);
    }
    expect(
      share(draws({ kind: "uniform", min: 1e-5, max: 1e-1, scale: "log" }), (x) => x < 1e-3),
    ).toBeCloseTo(0.5, 1);
  });

  test("of integers gives each equally often, both ends included", () => {
    const drawn = draws(integer(1, 4));
    for (const k of [1, 2, 3, 4]) expect(Math.abs(share(drawn, (x) => x === k) - 0.25)).toBeLessThan(0.03);
    expect(domain(integer(1, 10, 3)).size).toBe(4);
    expect(domain(integer(1, 10, 3)).nth(3)).toBe(10);
  });

  test("that is quantised gives multiples of the step as people write them, within the bounds", () => {
    const shifted = domain({ ...uniform(0.05, 0.5), step: 0.1 } as Distribution);
    expect(Array.from({ length: shifted.size }, (_, i) => shifted.nth(i))).toEqual([
      0.05, 0.15, 0.25, 0.35, 0.45,
    ]);
    // Where a file's own rule counts from 0, the ends are rounded to half as often.
    const rounded = domain({ ...uniform(0.05, 0.5), step: 0.1, anchor: 0 } as Distribution);
    expect(Array.from({ length: rounded.size }, (_, i) => rounded.nth(i))).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    const tenths = domain({ ...uniform(0.1, 0.9), step: 0.1 } as Distribution);
    const all = Array.from({ length: tenths.size }, (_, i) => tenths.nth(i));
    expect(all).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
  });

  test("that is normal, log-normal or beta has the quantiles of that law", () => {
    expect(domain({ kind: "normal", mean: 3, sd: 2, scale: "linear" }).valueAt(0.975)).toBeCloseTo(
      3 + 2 * 1.959964,
      5,
    );
    expect(domain({ kind: "normal", mean: 0, sd: 1, scale: "log" }).valueAt(0.5)).toBeCloseTo(1, 12);
    // Beta(2, 1) has the cumulative distribution x².
    expect(domain({ kind: "beta", a: 2, b: 1 }).valueAt(0.25)).toBeCloseTo(0.5, 9);
    expect(
      share(draws({ kind: "normal", mean: 0, sd: 1, scale: "linear", step: 1 }), (x) => x === 0),
    ).toBeCloseTo(0.383, 1);
  });

  test("with probabilities is drawn by them, and false stays false", () => {
    const drawn = random
      .ask(
        [],
        4000,
        problem([
          parameter("flag", { kind: "categorical", values: [true, false], probabilities: [0.9, 0.1] }),
          parameter("free", uniform(0, 1)),
        ]),
      )
      .map(({ flag }) => flag);
    expect(Math.abs(share(drawn, (flag) => flag === false) - 0.1)).toBeLessThan(0.02);
    expect(new Set(drawn)).toEqual(new Set([true, false]));
  });

  test("of any kind maps a value's cell back to the value, and cells fill the interval", () => {
    const finite = fc.oneof(
      fc
        .tuple(
          fc.integer({ min: 1, max: 20 }),
          fc.integer({ min: 0, max: 20 }),
          fc.constantFrom("linear", "log"),
        )
        .map(
          ([min, more, scale]): Distribution => ({
            kind: "integer",
            min,
            max: min + more,
            step: 1,
            scale: scale as "linear" | "log",
          }),
        ),
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom("linear", "log", "inverse-log")).map(
        ([max, scale]): Distribution => ({
          kind: "uniform",
          min: 0.5,
          max: max + 0.5,
          step: 0.25,
          scale: scale as "linear",
        }),
      ),
      fc.constant<Distribution>({ kind: "beta", a: 2, b: 3, step: 0.1 }),
      fc.constant<Distribution>(oneOf("a", 1, true) as Distribution),
    );
    fc.assert(
      fc.property(finite, (distribution) => {
        const { size, nth, cellOf, valueAt } = domain(distribution);
        let covered = 0;
        for (let i = 0; i < size; i++) {
          const [from, to] = cellOf(nth(i));
          expect(to).toBeGreaterThan(from);
          expect(valueAt((from + to) / 2)).toBe(nth(i));
          covered += to - from;
        }
        expect(covered).toBeCloseTo(1, 9);
      }),
    );
  });

  test("that makes no sense is a mistake with a name", () => {
    const broken: [Distribution, RegExp][] = [
      [uniform(2, 1), /goes from 2 to 1/],
      [{ kind: "uniform", min: 0, max: 1, scale: "log" }, /logarithmic scale and begins at 0/],
      [{ kind: "normal", mean: 0, sd: -1, scale: "linear" }, /has sd -1/],
      [{ kind: "categorical", values: [] }, /has no value/],
      [{ kind: "categorical", values: [1, 2], probabilities: [1] }, /1 probabilities for 2 values/],
      [{ kind: "uniform", min: 0.2, max: 0.4, scale: "linear", step: 1, anchor: 0 }, /has no value/],
    ];
    for (const [distribution, message] of broken) expect(() => domain(distribution)).toThrow(message);
    expect(() => makeDomain(parameter("p", uniform(0, 1), { default: 4 }))).toThrow(
      /can't take its default 4/,
    );
  });

  test("takes its bounds as a default, and nothing beyond them", () => {
    const from = (min: number, max: number, scale: string) =>
      ({ kind: "uniform", min, max, scale }) as Distribution;
    const takes = (distribution: Distribution, value: number) => {
      try {
        return makeDomain(parameter("p", distribution, { default: value })).has(value);
      } catch {
        return false;
      }
    };
    for (const [min, max, scale] of [
      [0, 0.5, "linear"],
      [1e-4, 0.3, "log"],
      [1e-4, 0.3, "inverse-log"],
    ] as const) {
      const range = from(min, max, scale);
      expect([min, max, (min + max) / 2].map((value) => takes(range, value))).toEqual([true, true, true]);
      expect([min - 0.01, max + 0.01].map((value) => takes(range, value))).toEqual([false, false]);
    }
    expect(takes(from(1e-4, 0.3, "log"), 0)).toBe(false);
    expect(takes({ kind: "beta", a: 2, b: 3 }, 0)).toBe(true);
    expect(takes({ kind: "beta", a: 2, b: 3 }, 1.1)).toBe(false);
    expect(takes({ kind: "normal", mean: 0, sd: 1, scale: "log" }, -1)).toBe(false);
  });

  test("that is a list of rising or falling numbers has an order, any other list has none", () => {
    expect(domain(oneOf(16, 32, 64)).ordered).toBe(true);
    expect(domain(oneOf(3, 2, 1)).ordered).toBe(true);
    expect(domain(oneOf(1, 3, 2)).ordered).toBe(false);
    expect(domain(oneOf(true, false)).ordered).toBe(false);
    expect(domain(oneOf("1", "2", "3")).ordered).toBe(false);
  });

  test("takes its default in where a list forgot it", () => {
    const withDefault = makeDomain(parameter("p", oneOf("a", "b"), { default: "c" }));
    expect([0, 1, 2].map((i) => withDefault.nth(i))).toEqual(["a", "b", "c"]);
  });
});

describe("a space", () => {
  const points = (...args: Parameters<typeof problem>) => [...grid.points!(problem(...args))];

  test("is gone through by the names of its parameters, the last fastest, duplicates once", () => {
    expect(points([parameter("b", oneOf(1, 2, 1)), parameter("a", oneOf("x", "y"))])).toEqual([
      { a: "x", b: 1 },
      { a: "x", b: 2 },
      { a: "y", b: 1 },
      { a: "y", b: 2 },
    ]);
  });

  test("has one point for all values of what is inactive", () => {
    const space = [
      parameter("kind", oneOf("sgd", "adam")),
      parameter("a_momentum", oneOf(0.1, 0.5, 0.9), { when: "kind == 'sgd'" }),
      parameter("nesterov", oneOf(true, false), { when: "a_momentum > 0.4" }),
    ];
    // sgd: 0.1 alone, 0.5 and 0.9 with two each; adam: one.
    expect(points(space)).toHaveLength(6);
    expect(points(space).filter(({ kind }) => kind === "adam")).toEqual([{ kind: "adam" }]);
  });

  test("counts what where leaves, and conditions may read what is fixed", () => {
    const ten = [parameter("k", integer(1, 10)), parameter("s", integer(1, 10))];
    expect(points(ten, { where: "k < s" })).toHaveLength(45);
    expect(points(ten, { where: "k < limit", fixed: { limit: 3 } })).toHaveLength(20);
  });

  test("refuses conditions that go in a circle, and names that are not there", () => {
    const circle = [
      parameter("a", oneOf(1, 2), { when: "b == 1" }),
      parameter("b", oneOf(1, 2), { when: "a == 1" }),
    ];
    expect(() => compileSpace(problem(circle))).toThrow(/"a", "b" go in a circle/);
    expect(() => compileSpace(problem([parameter("deph", oneOf(1))], { where: "depth > 1" }))).toThrow(
      /Did you mean "deph"/,
    );
  });

  test("of a million points costs no more than the points that are taken", () => {
    const digits = Array.from({ length: 6 }, (_, i) => parameter(`d${i}`, integer(0, 9)));
    const first = grid.ask([], 3, problem(digits));
    expect(first.map(({ d5 }) => d5)).toEqual([0, 1, 2]);
    let count = 0;
    for (const _ of grid.points!(problem(digits))) count++;
    expect(count).toBe(1_000_000);
    const iterator = random.points!(problem(digits))[Symbol.iterator]();
    expect(iterator.next().value).toHaveProperty("d5");
  });

  test("can't be a grid with a continuum in it", () => {
    expect(() => points([parameter("rate", uniform(0, 1))])).toThrow(/all values of "rate".*give it a step/);
  });

  test("gives a random search its rarest points too", () => {
    const narrow = problem([parameter("a", integer(1, 1000)), parameter("b", integer(1, 1000))], {
      where: "a == 7 && b == 9",
    });
    expect(random.ask([], 5, narrow)).toEqual([{ a: 7, b: 9 }]);
  });
});
