import { describe, expect, test } from "vitest";
import { studyFrom } from "./source.ts";

const search = (text: string, rest = "analysis: {metric: score, goal: maximize}\n") =>
  studyFrom(`study: s\ntarget: ./t.ts\n${rest}search:\n${text.replaceAll(/^/gm, "  ")}\n`).search!;
const parameter = (text: string) => search(`points: 5\nspace:\n  x: ${text}\n  y: [a, b]`).space[0]!;

describe("the search of a native study", () => {
  test("takes its objective from the analysis, and tpe where it names no method", () => {
    expect(search("points: 20\nspace: {x: {min: 0, max: 1}}")).toEqual({
      method: "tpe",
      options: {},
      space: [{ name: "x", path: ["x"], distribution: { kind: "uniform", min: 0, max: 1, scale: "linear" } }],
      points: 20,
      objectives: [{ metric: "score", goal: "maximize" }],
      constraints: [],
      seed: 1,
    });
  });

  test("says all that there is to say", () => {
    const found = search(`method: gp
space: {k: {min: 1, max: 9, step: 1}, s: {min: 2, max: 20, step: 1}}
where: k < s
points: 30
objectives: [{metric: loss, goal: minimize, target: 0.1}, {metric: cost_usd, goal: minimize}]
constraints: ["cost_usd < 1"]
stop: {kind: median, after: 3}
seed: 7
options: {noise: 0.1}`);
    expect(found).toMatchObject({
      method: "gp",
      where: "k < s",
      objectives: [
        { metric: "loss", goal: "minimize", target: 0.1 },
        { metric: "cost_usd", goal: "minimize" },
      ],
      constraints: ["cost_usd < 1"],
      earlyStop: { kind: "median", options: { after: 3 } },
      seed: 7,
      options: { noise: 0.1 },
    });
  });

  test.each([
    ["[1, 2]", { kind: "categorical", values: [1, 2] }],
    [
      "{values: [1, 2], probabilities: [0.2, 0.8]}",
      { kind: "categorical", values: [1, 2], probabilities: [0.2, 0.8] },
    ],
    ["{value: 3}", { kind: "constant", value: 3 }],
    ["{min: 1, max: 10}", { kind: "uniform", min: 1, max: 10, scale: "linear" }],
    ["{min: 1, max: 10, step: 3}", { kind: "integer", min: 1, max: 10, scale: "linear", step: 3 }],
    ["{min: 1, max: 10, step: 0.5}", { kind: "uniform", min: 1, max: 10, scale: "linear", step: 0.5 }],
    ["{min: 0.1, max: 10, scale: log}", { kind: "uniform", min: 0.1, max: 10, scale: "log" }],
    ["{min: 1, max: 64, scale: log, step: 1}", { kind: "integer", min: 1, max: 64, scale: "log", step: 1 }],
    ["{normal: {mean: 2, sd: 3}}", { kind: "normal", mean: 2, sd: 3, scale: "linear" }],
    ["{normal: {step: 1}}", { kind: "normal", mean: 0, sd: 1, scale: "linear", step: 1 }],
    ["{logNormal: {}}", { kind: "normal", mean: 0, sd: 1, scale: "log" }],
    ["{beta: {a: 2}}", { kind: "beta", a: 2, b: 1 }],
  ])("reads the parameter %s", (text, distribution) => {
    expect(parameter(text).distribution).toEqual(distribution);
  });

  test("has parameters that are there only under a condition, and defaults", () => {
    expect(parameter("{min: 1, max: 9, when: y == 'a', default: 4}")).toMatchObject({
      when: "y == 'a'",
      default: 4,
    });
  });
});

describe("a search that can't be", () => {
  const SPACE = "space: {x: {min: 0, max: 1}}";
  test.each([
    ["points: 5\nspace: {}", "study.yaml:6:3 search.space: expected at least one parameter, got none."],
    [
      SPACE,
      "study.yaml:4:1 search: expected points, since only a grid ends on its own, got none. Write points: 50",
    ],
    [`method: grid\n${SPACE}`, "search.space.x: a grid can't list all values between two bounds"],
    [
      "points: 5\nspace: {x: {min: 3, max: 1}}",
      "search.space.x.max: expected a number of at least min, 3, got 1.",
    ],
    [
      "points: 5\nspace: {x: {min: 0, max: 1, scale: log}}",
      "expected a number above 0, since the scale is log, got 0.",
    ],
    ["points: 5\nspace: {x: [a, a]}", '"a" is listed twice. Remove one'],
    [
      "points: 5\nspace: {x: {values: [a, b], probabilities: [0.5, 0.4]}}",
      "expected probabilities that add up to 1, got 0.9.",
    ],
    ["points: 5\nspace: {x: {values: [a, b], probabilities: [1]}}", "expected 2 numbers, got 1."],
    [
      "points: 5\nspace: {x: {values: [a, b], default: c}}",
      'search.space.x.default: expected one of the values, got "c".',
    ],
    ["points: 5\nspace: {x: {min: 0, max: 1, default: 2}}", "expected a number within the bounds, got 2."],
    [
      "points: 5\nspace: {x: {min: 0, max: 1, when: z > 1}}",
      'search.space.x.when: "z > 1" names the unknown parameter "z"',
    ],
    ["points: 5\nspace: {x: {min: 0, max: 1, when: x > 1}}", 'the condition "x > 1" of x reads x itself'],
    [`points: 5\n${SPACE}\nwhere: q < 1`, 'search.where: "q < 1" names the unknown parameter "q"'],
    [
      `points: 5\n${SPACE}\nconstraints: ["cost <"]`,
      'search.constraints.0: in "cost <" at column 7: expected a value',
    ],
    [`points: 5\n${SPACE}\nmethd: tpe`, 'unknown key "methd". Did you mean "method"?'],
    ["points: 5\nspace: {x: {min: 0, mx: 1}}", 'search.space.x.mx: unknown key "mx". Did you mean "max"?'],
    ["points: 5\nspace: {x: {min: 0}}", "search.space.x.max: expected a number, got nothing."],
    [
      "points: 5\nspace: {x: 3}",
      "search.space.x: expected a list, {values}, {value}, {min, max, scale, step}",
    ],
  ])("%s", (text, message) => {
    expect(() => search(text)).toThrow(message);
  });

  test("has no metric where it needs one", () => {
    expect(() => search(`points: 5\n${SPACE}`, "")).toThrow("expected a metric, which tpe needs, got none.");
    expect(() => search(`method: random\npoints: 5\n${SPACE}\nstop: {kind: median}`, "")).toThrow(
      "search.stop: expected a metric, which stop needs",
    );
    expect(search(`method: random\npoints: 5\n${SPACE}`, "").objectives).toEqual([]);
  });

  test("searches what is set elsewhere", () => {
    const elsewhere = [
      "params: {x: 1}\n",
      "matrix: {x: [1, 2]}\n",
      "variants: [{name: v, params: {x: 1}}]\n",
    ];
    for (const rest of elsewhere) {
      expect(() => search(`method: random\npoints: 5\n${SPACE}`, rest)).toThrow('"x" is searched, and');
    }
  });

  test("ends by a target or a cost limit as well", () => {
    const objectives = "objectives: [{metric: m, goal: minimize, target: 0}]";
    expect(search(`${SPACE}\n${objectives}`).points).toBeUndefined();
    expect(search(SPACE, "analysis: {metric: m}\nlimits: {costUsd: 1}\n").points).toBeUndefined();
  });
});
