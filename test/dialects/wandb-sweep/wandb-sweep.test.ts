import { describe, expect, test } from "vitest";
import { studyFrom, studyOf } from "../source.ts";

const sweep = (text: string) => studyFrom(text, "sweep.yaml");
const searchOf = (text: string) => sweep(text).search!;

const SMALL = `program: train.py
method: grid
parameters:
  lr: {values: [0.1, 0.2]}
`;

describe("a sweep file", () => {
  test("is told from other files by its keys", () => {
    expect(studyOf({ "a.yaml": SMALL }).dialect).toBe("wandb-sweep");
    expect(studyOf({ "a.yaml": "study: x\ntarget: sched-sim" }).dialect).toBe("native");
  });

  test("becomes a search that is run where it was called from, one run at a time", () => {
    const study = sweep(
      `name: my/sweep\ndescription: which rate?\n${SMALL}run_cap: 7\nmetric: {name: loss}\n`,
    );
    expect(study).toMatchObject({
      name: "my-sweep",
      question: "which rate?",
      seeds: [1],
      executor: { jobs: 1 },
      analysis: { metric: "loss", goal: "minimize" },
      target: {
        kind: "command",
        argv: ["/usr/bin/env", "${interpreter}", "train.py", "${args}"],
        cwd: "/called/from",
      },
      search: { method: "grid", points: 7, objectives: [{ metric: "loss", goal: "minimize" }] },
    });
    expect(study.warnings).toBeUndefined();
  });

  test("that says bayes is searched by tpe, with the metric's goal and target", () => {
    const text = SMALL.replace("grid", "bayes");
    const search = searchOf(`${text}metric: {name: acc, goal: maximize, target: 0.9}\n`);
    expect(search).toMatchObject({
      method: "auto",
      objectives: [{ metric: "acc", goal: "maximize", target: 0.9 }],
    });
    expect(search.points).toBeUndefined();
  });

  test("nests parameters by their paths, sorted at each level", () => {
    const { space } = searchOf(`program: t.py
method: grid
parameters:
  z: {value: 1}
  a: {parameters: {y: {values: [1, 2]}, b: {parameters: {c: {value: x}}}}}
  Z: {value: 2}
`);
    expect(space.map(({ name, path }) => [name, path])).toEqual([
      ["Z", ["Z"]],
      ["a.b.c", ["a", "b", "c"]],
      ["a.y", ["a", "y"]],
      ["z", ["z"]],
    ]);
  });

  test("ends runs early by hyperband, counted from above or from below", () => {
    const metric = "metric: {name: loss}\n";
    expect(
      searchOf(`${SMALL}${metric}early_terminate: {type: hyperband, max_iter: 27, s: 2}\n`).earlyStop,
    ).toEqual({
      kind: "hyperband",
      options: { max_iter: 27, s: 2, eta: 3, strict: false },
      countsValues: true,
    });
    expect(
      searchOf(`${SMALL}${metric}early_terminate: {type: hyperband, min_iter: 3, eta: 2, strict: true}\n`)
        .earlyStop,
    ).toEqual({ kind: "hyperband", options: { min_iter: 3, eta: 2, strict: true }, countsValues: true });
    expect(
      searchOf(`${SMALL}${metric}early_terminate: {type: hyperband, min_iter: 3, max_iter: 27, s: 2}\n`)
        .earlyStop,
    ).toMatchObject({ options: { max_iter: 27, s: 2 } });
  });
});

describe("a mistake in a sweep file is named with its line", () => {
  const METRIC = "metric: {name: loss}\n";
  test.each([
    [SMALL.replace("method", "metod"), 'sweep.yaml:2:1 metod: unknown key "metod". Did you mean "method"?'],
    [
      SMALL.replace("grid", "gird"),
      'sweep.yaml:2:1 method: expected one of grid, random, bayes, got "gird".',
    ],
    [SMALL.replace("grid", "custom"), "sweep.yaml:2:1 method: method: custom is a search of your own"],
    [
      SMALL.replace("grid", "bayes"),
      "sweep.yaml:2:1 method: expected metric, which method: bayes needs, got none.",
    ],
    [
      `${SMALL}early_terminate: {type: hyperband, min_iter: 3}\n`,
      "sweep.yaml:5:1 early_terminate: expected metric",
    ],
    [
      `${SMALL}${METRIC}early_terminate: {type: hyperband, max_iter: 9}\n`,
      "expected min_iter, or max_iter with s, got max_iter.",
    ],
    [
      `${SMALL}${METRIC}early_terminate: {type: envelope}\n`,
      "sweep.yaml:6:19 early_terminate.type: expected hyperband",
    ],
    [`${SMALL}run_cap: 0\n`, "sweep.yaml:5:1 run_cap: expected a whole number above 0, got 0."],
    [`${SMALL}metric: {goal: minimize}\n`, "sweep.yaml:5:1 metric.name: expected a text, got nothing."],
    [
      SMALL.replace("program: train.py", "name: x"),
      "expected program, the script that the runs start, got nothing.",
    ],
    [
      "program: t.py\nmethod: grid\nparameters: {}\n",
      "sweep.yaml:3:1 parameters: expected at least one named parameter",
    ],
    ["program: t.py\nmethod: grid\n", "parameters: expected named parameters"],
    [
      "program: t.py\nmethod: grid\nparameters: {lr: 0.1}\n",
      "parameters.lr: expected how the parameter varies, such as {values: [1, 2]}, got 0.1. For a constant write {value: 0.1}.",
    ],
    ["program: t.py\nmethod: grid\nparameters: {9x: {value: 1}}\n", "\"9x\" can't be a parameter's name"],
    [
      "program: t.py\nmethod: grid\nparameters: {a.b: {value: 1}, a: {parameters: {b: {value: 2}}}}\n",
      'the parameter "a.b" appears twice',
    ],
    [
      "program: t.py\nmethod: grid\nparameters: {a: {parameters: {b: {value: 2}}, value: 1}}\n",
      '"value" can\'t be combined with nested parameters',
    ],
  ])("%s", (text, message) => {
    expect(() => sweep(text)).toThrow(message);
  });
});

describe("what a sweep file says in vain", () => {
  test("is told with its line, for each key", () => {
    const { warnings } = sweep(`${SMALL}project: p
entity: e
controller: {type: local}
scheduler: {resource: x}
job: j
image_uri: i
metric: {name: loss, impute: best}
`);
    const lines = warnings!.map(({ text }) =>
      /^sweep.yaml:(\d+):\d+ (\S+): has no effect/.exec(text)?.slice(1),
    );
    expect(lines).toEqual([
      ["5", "project"],
      ["6", "entity"],
      ["7", "controller"],
      ["8", "scheduler"],
      ["9", "job"],
      ["10", "image_uri"],
      ["11", "metric.impute"],
    ]);
  });
});

describe("a parameter with a name that every run has", () => {
  test("becomes the study's seeds where it is called seed, and the program still gets it", () => {
    const study = sweep(`${SMALL}  seed: {values: [3, 4, 3]}\n`);
    expect(study.seeds).toEqual([3, 4]);
    expect(study.search!.space.map(({ name }) => name)).toEqual(["lr"]);
    expect(study.target).toMatchObject({ sweepArgs: { seedName: "seed" } });
    expect(study.warnings).toBeUndefined();
    const random = sweep(`${SMALL.replace("grid", "random")}  seed: {min: 1, max: 3}\n`);
    expect(random.seeds).toEqual([1, 2, 3]);
    expect(random.warnings).toEqual([
      {
        kind: "reserved-name",
        level: "warn",
        text: "sweep.yaml:5:3 parameters.seed: each point is run with all 3 seeds, and the search sees their mean",
      },
    ]);
    expect(() => sweep(`${SMALL.replace("grid", "random")}  seed: {min: 0, max: 9999}\n`)).toThrow(
      "sweep.yaml:5:3 parameters.seed: expected a list of whole numbers",
    );
  });

  test("is called otherwise in tables where it is task, repeat or variant", () => {
    const study = sweep(`${SMALL}  task: {value: glue}\n`);
    expect(study.search!.space.map(({ path }) => path)).toEqual([["lr"], ["task_"]]);
    expect(study.target).toMatchObject({ sweepArgs: { names: { task_: "task" } } });
    expect(study.warnings).toHaveLength(1);
  });
});

test("a hostile sweep file is refused, quickly", () => {
  const bomb = `program: t.py
method: grid
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
parameters: {p: {values: [*c, *c, *c, *c]}}
`;
  expect(() => sweep(bomb)).toThrow("Excessive alias count");
  const many = Array.from({ length: 3000 }, (_, i) => `  p${i}: {value: 1e5}\n`).join("");
  expect(() => sweep(`program: t.py\nmethod: grid\nparameters:\n${many}`)).toThrow("at most 2000 parameters");
  expect(() => sweep("method: grid\nprogram: x\nparameters: {__proto__: {value: 1}}\n")).toThrow(
    "not allowed",
  );
});
