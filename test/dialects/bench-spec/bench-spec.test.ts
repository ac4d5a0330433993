import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { benchSpec, splitRounds } from "../../../src/dialects/bench-spec/bench-spec.ts";
import { readStudies } from "../../../src/dialects/index.ts";
import { parseSource } from "../../../src/dialects/source-file.ts";
import { outsideFiles } from "../../support/outside-files.ts";
import { studyFrom, studyOf } from "../source.ts";

const outside = outsideFiles("bench-specs");
const origin = { dir: "/home/me/specs", callerDir: "/c" };
const source = (text: string) => parseSource("specs/sweep.yaml", text, origin);
const all = (text: string) =>
  readStudies("specs/sweep.yaml", (path) => ({ path, text, origin })).declared.map(({ study }) => study);

describe("a bench spec", () => {
  test("becomes a study with all that it says", () => {
    const { study, dialect } = studyOf({
      "memory.yaml": `
experiment: memory_db
params: {num_agents: 100, parameters: {test_in_memory: true}}
sweep: {radius: [5, 6]}
iterations: {warmup: 1, measured: 2}
instrumentation: [timing, {name: psutil, options: {interval_ms: 50}}, ./mine.ts]
output_dir: benchmarks/results/memory
tags: [database, 7]
notes: A baseline
parallelism: 2
seed: 42`,
    });
    expect(dialect).toBe("bench-spec");
    expect(study).toMatchObject({
      name: "memory",
      outRoot: "benchmarks/results",
      target: { kind: "named", name: "memory_db" },
      params: { num_agents: 100, parameters: { test_in_memory: true } },
      axes: [{ names: ["radius"], rows: [[5], [6]] }],
      iterations: { warmup: 1, measured: 2 },
      instruments: [
        { name: "timing", options: {} },
        { name: "psutil", options: { interval_ms: 50 } },
        { name: "/home/me/mine.ts", options: {} },
      ],
      tags: ["database", "7"],
      notes: "A baseline",
      executor: { jobs: 2 },
      seeds: [42],
      resultFiles: true,
      open: { lists: {} },
    });
  });

  test("without more than an experiment measures once, on one job, with its wall time", () => {
    expect(studyFrom("experiment: ./mine.ts", "speed.yaml")).toMatchObject({
      name: "speed",
      outRoot: "bench_runs",
      target: { kind: "file", path: "/home/me/mine.ts" },
      iterations: { warmup: 0, measured: 1 },
      instruments: [{ name: "timing", options: {} }],
      executor: { jobs: 1 },
    });
  });

  test("is JSON as well", () => {
    expect(studyFrom('{"experiment": "noop", "seed": 3}', "a.json")).toMatchObject({ name: "a", seeds: [3] });
  });

  test.each([
    ["experiment: a\nparms: {}", 'study.yaml:2:1 parms: unknown key "parms". Did you mean "params"?'],
    ["experiment: a\niterations: {measured: 0}", "expected a number above 0, got 0"],
    ["experiment: a\nstrategy: random", "study.yaml:2:1 strategy: strategy: random needs samples"],
    ["experiment: a\nsamples: 5", "samples is for strategy: random"],
    ["experiment: a\nstrategy: grid", 'expected one of "cartesian", "random", got "grid"'],
    ["experiment: a\nparams: {x: 1}\nsweep: {x: [1, 2]}", "x is in both params and sweep"],
    ["experiment: a\nsweep: {x: [1, 1]}", "study.yaml:2:9 sweep.x: 1 is listed twice"],
    ["experiment: a\nsweep: {x: 5}", "expected a list, got 5"],
    ["experiments: []", "expected a list of experiments"],
    ["experiments: [7]", "expected an experiment's name, or its keys, got 7"],
  ])("a mistake is one clear message: %s", (text, message) => {
    expect(() => studyFrom(text)).toThrow(message);
  });

  test.skipIf(!outside.isHere)(`that others wrote is read as it is${outside.note}`, () => {
    expect(outside.names.length).toBeGreaterThan(3);
    for (const name of outside.names) {
      const file = parseSource(name, readFileSync(outside.path(name), "utf8"), { dir: "/d", callerDir: "/" });
      expect(benchSpec.detects(file)).toBe(true);
      expect(benchSpec.parse(file).resultFiles).toBe(true);
    }
  });
});

describe("several experiments in one file", () => {
  const text = `
experiments:
  - {experiment: memory_db, params: {steps: 5}, output_dir: results/own}
  - observation_flow
params: {num_agents: 10, steps: 1}
tags: [all]
seed: 9`;

  test("are several studies, which share what the top of the file says", () => {
    const [first, second] = all(text);
    expect(first).toMatchObject({
      name: "own",
      outRoot: "results",
      params: { num_agents: 10, steps: 5 },
      tags: ["all"],
      seeds: [9],
    });
    expect(second).toMatchObject({
      name: "observation_flow",
      outRoot: "bench_runs/sweep",
      params: { num_agents: 10, steps: 1 },
    });
  });

  test("a mistake in one is placed in it", () => {
    expect(() => all("experiments:\n  - {experiment: a}\n  - {experiment: b, sed: 1}")).toThrow(
      'specs/sweep.yaml:3:21 experiments.1.sed: unknown key "sed". Did you mean "seed"?',
    );
  });

  test("may not share a folder, and are no single study", () => {
    expect(() => all("experiments: [a, a]")).toThrow("two experiments would write to bench_runs/sweep/a");
    expect(() => benchSpec.parse(source("experiments: [a, b]"))).toThrow("several experiments");
  });
});

describe("interleaving", () => {
  test.each([
    [2, true, 2, 1],
    [30, true, 10, 3],
    [13, true, 7, 2],
    [100, { rounds: 4 }, 4, 25],
    [3, { rounds: 50 }, 3, 1],
    [5, false, 1, 5],
  ] as const)("%i iterations with %o are %i rounds of %i", (measured, interleave, rounds, perRound) => {
    expect(splitRounds({ warmup: 1, measured }, interleave)).toEqual({
      repeats: { warmup: 0, measured: rounds },
      iterations: { warmup: 1, measured: perRound },
    });
  });

  test("is an order of the study", () => {
    expect(studyFrom("experiment: a\ninterleave: true\niterations: 20")).toMatchObject({
      order: "interleaved",
      repeats: { measured: 10 },
      iterations: { measured: 2 },
    });
  });
});
