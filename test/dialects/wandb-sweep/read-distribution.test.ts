import { describe, expect, test } from "vitest";
import { studyFrom } from "../source.ts";

const one = (config: string, method = "random") => {
  const study = studyFrom(`program: t.py\nmethod: ${method}\nparameters:\n  x: ${config}\n`, "sweep.yaml");
  const { sweepArgs } = study.target as { sweepArgs: { floats: unknown[] } };
  return { distribution: study.search!.space[0]!.distribution, floats: sweepArgs.floats };
};
const distribution = (config: string, method?: string) => one(config, method).distribution;

describe("a parameter of a sweep file", () => {
  test.each([
    ["{value: 3}", { kind: "constant", value: 3 }],
    ["{value: null}", { kind: "constant", value: null }],
    ["{values: [a, 2, true]}", { kind: "categorical", values: ["a", 2, true] }],
    [
      "{values: [a, b], probabilities: [0.25, 0.75]}",
      { kind: "categorical", values: ["a", "b"], probabilities: [0.25, 0.75] },
    ],
    ["{min: 1, max: 3}", { kind: "integer", min: 1, max: 3, scale: "linear", step: 1 }],
    ["{min: 1.0, max: 3}", { kind: "uniform", min: 1, max: 3, scale: "linear" }],
    ["{min: 1, max: 3.0}", { kind: "uniform", min: 1, max: 3, scale: "linear" }],
    ["{distribution: uniform, min: 1, max: 3}", { kind: "uniform", min: 1, max: 3, scale: "linear" }],
    [
      "{distribution: int_uniform, min: 1, max: 3}",
      { kind: "integer", min: 1, max: 3, scale: "linear", step: 1 },
    ],
    [
      "{distribution: q_uniform, min: 0, max: 1, q: 0.1}",
      { kind: "uniform", min: 0, max: 1, scale: "linear", step: 0.1, anchor: 0 },
    ],
    [
      "{distribution: q_uniform, min: 0, max: 10}",
      { kind: "uniform", min: 0, max: 10, scale: "linear", step: 1, anchor: 0 },
    ],
    [
      "{distribution: log_uniform_values, min: 0.1, max: 10}",
      { kind: "uniform", min: 0.1, max: 10, scale: "log" },
    ],
    [
      "{distribution: inv_log_uniform_values, min: 0.1, max: 10}",
      { kind: "uniform", min: 0.1, max: 10, scale: "inverse-log" },
    ],
    [
      "{distribution: q_log_uniform_values, min: 1, max: 99, q: 2}",
      { kind: "uniform", min: 1, max: 99, scale: "log", step: 2, anchor: 0 },
    ],
    ["{distribution: normal}", { kind: "normal", mean: 0, sd: 1, scale: "linear" }],
    ["{distribution: log_normal, mu: 1, sigma: 2}", { kind: "normal", mean: 1, sd: 2, scale: "log" }],
    ["{distribution: q_normal, q: 5}", { kind: "normal", mean: 0, sd: 1, scale: "linear", step: 5 }],
    ["{distribution: q_log_normal}", { kind: "normal", mean: 0, sd: 1, scale: "log", step: 1 }],
    ["{distribution: beta}", { kind: "beta", a: 1, b: 1 }],
    ["{distribution: q_beta, a: 2, b: 3, q: 0.1}", { kind: "beta", a: 2, b: 3, step: 0.1 }],
  ])("%s", (config, expected) => {
    expect(distribution(config)).toEqual(expected);
  });

  test("states exponents of e in the older log distributions", () => {
    const bounds = (config: string) => {
      const { min, max } = distribution(config) as { min: number; max: number };
      return [Math.log(min), Math.log(max)];
    };
    for (const [name, low, high] of [
      ["log_uniform", -9, -2],
      ["q_log_uniform", -9, -2],
      ["inv_log_uniform", 2, 9],
    ] as const) {
      const [min, max] = bounds(`{distribution: ${name}, min: -9, max: -2}`);
      expect(min).toBeCloseTo(low, 10);
      expect(max).toBeCloseTo(high, 10);
    }
    expect(() => distribution("{distribution: log_uniform, min: 1, max: 1000}")).toThrow(
      "For the values themselves use log_uniform_values.",
    );
  });

  test("of a grid over q_uniform goes from min in steps of q, without max", () => {
    expect(distribution("{distribution: q_uniform, min: 2, max: 8, q: 2}", "grid")).toEqual({
      kind: "categorical",
      values: [2, 4, 6],
    });
    expect(distribution("{distribution: q_uniform, min: 0, max: 0.5, q: 0.2}", "grid")).toEqual({
      kind: "categorical",
      values: [0, 0.2, 0.4],
    });
  });

  test("remembers which whole numbers were written as floats", () => {
    expect(one("{value: 0.0}").floats).toEqual([{ path: ["x"], values: [0] }]);
    expect(one("{values: [1, 2.0, 2.5]}").floats).toEqual([{ path: ["x"], values: [2] }]);
    expect(one("{values: [[1.0, 2], {a: 3.0}]}").floats).toEqual([{ path: ["x"], values: [1, 3] }]);
    expect(one("{min: 0.0, max: 2}").floats).toEqual([{ path: ["x"] }]);
    expect(one("{min: 0, max: 2}").floats).toEqual([]);
    expect(one("{distribution: q_uniform, min: 0, max: 9, q: 3}").floats).toEqual([]);
    expect(one("{distribution: q_normal}").floats).toEqual([{ path: ["x"] }]);
  });
});

describe("a parameter that can't be", () => {
  test.each([
    [
      "{min: 1}",
      "parameters.x: expected value, values, min and max, distribution, or nested parameters, got min.",
    ],
    ["{valeus: [1]}", 'parameters.x.valeus: unknown key "valeus". Did you mean "values"?'],
    ["{values: [1], q: 2}", '"q" has no place in categorical. It takes values, probabilities.'],
    ["{values: []}", "parameters.x.values: expected a list with at least one value, got []."],
    ["{values: 3}", "expected a list with at least one value, got 3."],
    ["{distribution: unifrom, min: 0, max: 1}", 'unknown distribution "unifrom". Did you mean "uniform"?'],
    ["{distribution: uniform, min: 0}", "expected max, which uniform needs, got distribution, min."],
    [
      "{distribution: uniform, min: 3, max: 1}",
      "parameters.x.max: expected a number of at least min, 3, got 1.",
    ],
    ["{distribution: uniform, min: a, max: 1}", 'parameters.x.min: expected a number, got "a".'],
    [
      "{distribution: int_uniform, min: 1.0, max: 3}",
      "expected a whole number, since the distribution is int_uniform, got 1.0.",
    ],
    [
      "{distribution: log_uniform_values, min: 0, max: 1}",
      "expected a number above 0, since the scale is logarithmic, got 0.",
    ],
    ["{distribution: normal, sigma: 0}", "parameters.x.sigma: expected a number above 0, got 0."],
    [
      "{distribution: q_uniform, min: 0, max: 1, q: -1}",
      "parameters.x.q: expected a number above 0, got -1.",
    ],
    ["{values: [a, b], probabilities: [1]}", "expected one probability for each of the 2 values, got 1."],
    ["{values: [a, b], probabilities: [0.5, 0.6]}", "expected probabilities that add up to 1, got 1.1."],
    ["{values: [a, b], probabilities: [2, -1]}", "expected a list of numbers between 0 and 1"],
    ["{value: .inf}", "sweep.yaml:4:7 parameters.x.value: expected a finite number, got .inf."],
    ["{value: 12345678901234567890}", "expected a whole number of at most 9007199254740991"],
  ])("%s", (config, message) => {
    expect(() => distribution(config)).toThrow(message);
  });

  test.each([
    ["{min: 0.1, max: 2}", "sweep.yaml:4:3 parameters.x: a grid can't list uniform"],
    [
      "{distribution: normal}",
      "a grid can't list normal: expected categorical, constant, int_uniform, q_uniform",
    ],
    [
      "{values: [a], probabilities: [1]}",
      "parameters.x.probabilities: a grid can't list values with probabilities",
    ],
    ["{distribution: q_uniform, min: 0, max: 0}", "expected between 1 and 1000000 steps"],
  ])("in a grid: %s", (config, message) => {
    expect(() => distribution(config, "grid")).toThrow(message);
  });
});
