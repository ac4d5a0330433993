import { describe, expect, test } from "vitest";
import type { Search, SpaceParameter } from "../../src/core/space.ts";
import { placeInSpace } from "../../src/plan/admits-point.ts";
import { containsRun } from "../../src/plan/cells.ts";
import { aRun, aStudy, axis } from "../support/a-study.ts";

const space: SpaceParameter[] = [
  { name: "kind", path: ["kind"], distribution: { kind: "categorical", values: ["a", "b"] }, default: "c" },
  {
    name: "n",
    path: ["n"],
    distribution: { kind: "integer", min: 1, max: 5, scale: "linear", step: 1 },
    when: "kind == 'a'",
  },
  { name: "opt.lr", path: ["opt", "lr"], distribution: { kind: "uniform", min: 0, max: 1, scale: "linear" } },
  {
    name: "opt.beta",
    path: ["opt", "beta"],
    distribution: { kind: "normal", mean: 0, sd: 1, scale: "linear" },
  },
  { name: "fixed", path: ["fixed"], distribution: { kind: "constant", value: 7 } },
];
const search: Search = {
  method: "tpe",
  options: {},
  space,
  where: "n < 5 or not has(n)",
  objectives: [],
  constraints: [],
  seed: 1,
};
const study = aStudy({ params: { p: 1 }, axes: [axis("m", "x", "y")], search });
const isPart = (params: Record<string, unknown>) =>
  containsRun(study)(
    aRun({ params: { p: 1, m: "x", fixed: 7, opt: { lr: 0.5, beta: -2 }, ...params } as never }),
  );

describe("a run of a search", () => {
  test("is part of the study at any point of its space, in any cell of its matrix", () => {
    expect(isPart({ kind: "a", n: 4 })).toBe(true);
    expect(isPart({ kind: "b" })).toBe(true);
    expect(isPart({ kind: "c", m: "y" })).toBe(true);
  });

  test.each([
    ["a value that is no longer listed", { kind: "d" }],
    ["a number outside the bounds", { kind: "b", opt: { lr: 2, beta: 0 } }],
    ["an inactive parameter", { kind: "b", n: 3 }],
    ["an active parameter missing", { kind: "a" }],
    ["a point that where excludes", { kind: "a", n: 5 }],
    ["another constant", { kind: "b", fixed: 8 }],
    ["a nested parameter missing", { kind: "b", opt: { lr: 0.5 } }],
    ["a text for a number", { kind: "b", opt: { lr: "x", beta: 0 } }],
    ["a parameter that nobody has", { kind: "b", other: 1 }],
    ["another value of a fixed parameter", { kind: "b", p: 2 }],
    ["another cell", { kind: "b", m: "z" }],
  ])("is not with %s", (_, params) => {
    expect(isPart(params)).toBe(false);
  });
});

describe("a point of an earlier space", () => {
  const point = { kind: "b", "opt.lr": 0.5, "opt.beta": 0, fixed: 7 };
  const place = placeInSpace(study, search);

  test("is one of the present space when what has left it has the study's own value now", () => {
    expect(place(point)).toEqual(point);
    expect(place({ ...point, p: 1 })).toEqual(point);
    expect(place({ ...point, p: 2 })).toBeUndefined();
    expect(place({ ...point, gone: 1 })).toBeUndefined();
  });

  test("is none where the bounds have moved, or a parameter has come", () => {
    expect(place({ ...point, "opt.lr": 1.5 })).toBeUndefined();
    const { "opt.beta": _, ...without } = point;
    expect(place(without)).toBeUndefined();
  });
});
