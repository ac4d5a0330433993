import { describe, expect, test } from "vitest";
import type { Params } from "../../src/core/params.ts";
import type { Study } from "../../src/core/study.ts";
import { loadStudies } from "../../src/launch/load-study.ts";
import { prepareStudy } from "../../src/launch/prepare-study.ts";
import { findTarget, settleStudy } from "../../src/launch/settle-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const TARGET = `import { defineTarget, z } from "assay/plugin";
export default defineTarget({
  name: "bench",
  params: z.strictObject({
    n: z.int().min(1).max(100).default(1),
    mode: z.enum(["slow", "fast"]).default("fast"),
    sizes: z.array(z.int()).default([1]),
    deep: z.boolean().default(false),
  }),
  run: () => ({}),
});`;
const NESTING = TARGET.replace(
  "deep:",
  "parameters: z.strictObject({ k: z.int(), list: z.array(z.int()).default([]) }).default({ k: 1, list: [] }),\n    deep:",
);

async function prepare(spec: string, target = TARGET) {
  using folder = new TempFolder({ "spec.yaml": `experiment: bench\n${spec}`, "bench.ts": target });
  const [loaded] = loadStudies(`${folder.path}/spec.yaml`);
  const { study, plan } = await prepareStudy(loaded!);
  return { study, cells: [...plan.runs()].map(({ params }) => params) };
}

describe("what a spec is judged by", () => {
  const metrics = (primary: string) =>
    TARGET.replace("run:", `metrics: { hits: { unit: "1", direction: "maximize"${primary} } },\n  run:`);

  test("is its time, unless its target says what its results are", async () => {
    expect((await prepare("", metrics(""))).study.analysis).toEqual({
      metric: "duration_ms",
      goal: "minimize",
    });
    expect((await prepare("", metrics(", primary: true"))).study.analysis).toEqual({});
  });
});

describe("lists among the parameters of a spec", () => {
  test("sweep, unless the target takes a list there", async () => {
    const { cells, study } = await prepare("params: {n: [1, 2], mode: [slow, fast], sizes: [3, 4]}");
    // They take turns, in an order of their own.
    const inOrder = (a: Params, b: Params) => JSON.stringify(a).localeCompare(JSON.stringify(b));
    expect(cells.sort(inOrder)).toEqual(
      [
        { n: 1, mode: "slow", sizes: [3, 4] },
        { n: 1, mode: "fast", sizes: [3, 4] },
        { n: 2, mode: "slow", sizes: [3, 4] },
        { n: 2, mode: "fast", sizes: [3, 4] },
      ].sort(inOrder),
    );
    expect(study).not.toHaveProperty("open");
  });

  test("are refused with a value twice, also where the target makes one of two", async () => {
    await expect(prepare("params: {n: [1, 2, 1]}")).rejects.toThrow(
      /spec\.yaml:2:10 params\.n: 1 is listed twice/,
    );
    await expect(prepare("sweep: {sizes: [3, [3]]}")).rejects.toThrow(/sweep\.sizes: \[3\] is listed twice/);
  });

  test("a swept value becomes a list where the target takes only lists", async () => {
    const { cells } = await prepare("sweep: {sizes: [3, [4, 5]]}");
    expect(cells).toEqual([{ sizes: [3] }, { sizes: [4, 5] }]);
  });

  test("below parameters: are the target's own, where it has no such parameter", async () => {
    const { cells } = await prepare("params: {n: 5, parameters: {deep: true, mode: [slow, fast]}}");
    expect(cells).toEqual([
      { deep: true, n: 5, mode: "slow" },
      { deep: true, n: 5, mode: "fast" },
    ]);
  });

  test("below parameters: that the target does not have are left out with a warning, here and in place", async () => {
    const free = await prepare("params: {n: 5, parameters: {deep: true, buffer_sizes: [1, 2], custom: x}}");
    expect(free.cells).toEqual([{ deep: true, n: 5 }]);
    const texts = (study: Study) => study.warnings?.map(({ text }) => text.replace(/^.*spec/, "spec"));
    expect(texts(free.study)).toEqual([
      'spec.yaml:2:41 params.parameters.buffer_sizes: has no effect: bench has no parameter "buffer_sizes"',
      'spec.yaml:2:63 params.parameters.custom: has no effect: bench has no parameter "custom"',
    ]);
    const nested = await prepare("params: {parameters: {k: 3, custom: x}}", NESTING);
    expect(nested.cells).toEqual([{ parameters: { k: 3 } }]);
    expect(nested.study.warnings).toHaveLength(1);
  });

  test("of earlier versions of the framework are left out with a warning, in params and in sweep", async () => {
    const { cells, study } = await prepare(
      "params: {n: 5, use_in_memory_db: true, steps: 10}\nsweep: {observation_radius: [3, 5], mode: [slow, fast]}",
    );
    expect(cells).toEqual([
      { n: 5, mode: "slow" },
      { n: 5, mode: "fast" },
    ]);
    expect(study.warnings).toHaveLength(3);
  });

  test("below parameters: sweep in place, where the target has that parameter", async () => {
    const { cells } = await prepare("params: {parameters: {k: [1, 2], list: [7, 8]}}", NESTING);
    expect(cells).toEqual([{ parameters: { k: 1, list: [7, 8] } }, { parameters: { k: 2, list: [7, 8] } }]);
  });

  test.each([
    ["params: {m: 1}", 'spec.yaml:2:10 params.m: target bench has no parameter "m"'],
    ["params: {n: many}", 'params.n: parameter n of target bench: expected a number, got "many"'],
    [
      "params: {n: [1, 500]}",
      "params.n: parameter n of target bench: expected a number of at most 100, got 500",
    ],
    [
      "sweep: {n: [1, 500]}",
      "sweep.n: parameter n of target bench: expected a number of at most 100, got 500",
    ],
  ])("%s is refused with its place", async (spec, message) => {
    await expect(prepare(spec)).rejects.toThrow(message);
  });
});

describe("a random strategy", () => {
  const spec = "sweep: {n: [1, 2, 3, 4, 5], mode: [slow, fast]}\nstrategy: random\n";

  test("takes distinct points of the product, the same ones for the same seed", async () => {
    const { cells } = await prepare(`${spec}samples: 6\nseed: 3`);
    expect(new Set(cells.map(({ n, mode }) => `${n} ${mode}`)).size).toBe(6);
    expect((await prepare(`${spec}samples: 6\nseed: 3`)).cells).toEqual(cells);
    const other = (await prepare(`${spec}samples: 6\nseed: 4`)).cells;
    expect(other).not.toEqual(cells);
  });

  test("takes all points where there are no more", async () => {
    expect((await prepare(`${spec}samples: 10`)).cells).toHaveLength(10);
    await expect(prepare("strategy: random\nsamples: 2")).rejects.toThrow("nothing to choose from");
  });
});

describe("settling a study", () => {
  test("leaves what was declared as it was", async () => {
    using folder = new TempFolder({
      "spec.yaml": "experiment: bench\nparams: {n: [1, 2], parameters: {deep: true}}\n",
      "bench.ts": TARGET,
    });
    const [loaded] = loadStudies(`${folder.path}/spec.yaml`);
    const before = structuredClone(loaded!.study);
    const { study } = await settleStudy(loaded!);
    expect(loaded!.study).toEqual(before);
    expect(study).toMatchObject({ params: { deep: true }, axes: [{ names: ["n"], rows: [[1], [2]] }] });
    expect(study.target).toEqual({ kind: "file", path: `${folder.path}/bench.ts` });
  });

  test.each([
    [
      "python3 -c 0",
      "[a, b]",
      ["the command does not name ${task}: all 2 tasks run alike unless the program reads ASSAY_TASK"],
    ],
    [
      "python3 -c 0",
      "{file: items.jsonl, id: id}",
      [
        "the command does not name ${task}: all 2 tasks run alike unless the program reads ASSAY_TASK or ASSAY_TASK_FILE",
      ],
    ],
    ["python3 -c 0 ${task}", "[a, b]", undefined],
    ["python3 -c 0 --task=${task}", "[a, b]", undefined],
    ["python3 -c 0", "[a]", undefined],
  ])("asks whether a program is given its task: %s, %s", async (command, tasks, expected) => {
    using folder = new TempFolder({
      "study.yaml": `target: {command: ${JSON.stringify(command.split(" "))}}\ntasks: ${tasks}\n`,
      "items.jsonl": '{"id": "a"}\n{"id": "b"}\n',
    });
    const { study } = await settleStudy(loadStudies(`${folder.path}/study.yaml`)[0]!);
    expect(study.warnings?.map(({ text }) => text)).toEqual(expected);
  });

  test("a second time changes nothing", async () => {
    using folder = new TempFolder({
      "sweep.yaml":
        "target: agent\nmethod: grid\nparameters:\n  strategy: {values: [raw, hybrid]}\n  hp-obs-n: {values: [3, 5]}\n  num-workers: {value: 4}\n",
    });
    const [loaded] = loadStudies(`${folder.path}/sweep.yaml`);
    const { study } = await settleStudy(loaded!);
    expect(study.search!.space.map(({ name, when }) => [name, when])).toEqual([
      ["obs_n", "strategy in ['observation_masking', 'hybrid']"],
      ["strategy", undefined],
    ]);
    expect(study.warnings).toEqual([
      { kind: "left-out", level: "warn", text: "num-workers: no parameter of this target; left out" },
    ]);
    expect((await settleStudy({ ...loaded!, study })).study).toEqual(study);
  });

  test("makes a parameter depend only on what the file varies", async () => {
    using folder = new TempFolder({
      "sweep.yaml": "target: agent\nmethod: grid\nparameters:\n  hp-obs-n: {values: [3, 5]}\n",
    });
    const { study } = await settleStudy(loadStudies(`${folder.path}/sweep.yaml`)[0]!);
    expect(study.search!.space).toMatchObject([{ name: "obs_n" }]);
    expect(study.search!.space[0]).not.toHaveProperty("when");
  });
});

describe("a mistake in a parameter", () => {
  test.each([
    [
      "matrix.json",
      '{"common_args": {}, "matrix": {"ablations": [{"name": "a", "flags": ["--bogus"]}]}}',
      "matrix.json:1:32 matrix.ablations: ",
    ],
    [
      "sweep.yaml",
      "target: agent\nmethod: grid\nparameters:\n  bogus: {values: [3]}\n",
      "sweep.yaml:4:3 parameters.bogus",
    ],
  ])("of %s is placed where that file has it", async (name, text, place) => {
    using folder = new TempFolder({ [name]: text });
    await expect(prepareStudy(loadStudies(`${folder.path}/${name}`)[0]!)).rejects.toThrow(place);
  });
});

describe("a target's name", () => {
  test("is a file beside the study, or in targets/ there", () => {
    using folder = new TempFolder({ "targets/mine.mjs": "", "other.ts": "" });
    const find = (name: string) => findTarget({ kind: "named", name }, folder.path, {});
    expect(find("mine")).toEqual({ kind: "file", path: `${folder.path}/targets/mine.mjs` });
    expect(find("noop")).toEqual({ kind: "shipped", name: "noop" });
    expect(() => find("othr")).toThrow('there is no target "othr". Did you mean "other"? Looked for ');
    expect(() => find("othr")).toThrow(/targets\/othr\{\.ts,\.mts,\.js,\.mjs\}/);
  });
});

describe("parameters from outside", () => {
  const SWEEP = `target: agent
method: grid
metric: {name: solve_rate, goal: maximize}
parameters:
  strategy: {values: [raw, llm_summary]}
  hp-sum-n: {values: [15, 20]}
`;
  const planned = async (text: string, params: Params) => {
    using folder = new TempFolder({ "study.yaml": text });
    const { study, plan } = await prepareStudy(loadStudies(`${folder.path}/study.yaml`, { params })[0]!);
    return { study, runs: study.search ? [] : [...plan.runs()].map((run) => run.params) };
  };
  const rangeOf = (search: Study["search"], name: string) =>
    search?.space.filter((parameter) => parameter.name === name).map(({ distribution }) => distribution);

  test.each(["hp-sum-n", "hp_sum_n", "sum-n", "sum_n"])("are known by the spelling %s, too", async (name) => {
    const { study } = await planned(SWEEP, { [name]: 12 });
    expect(rangeOf(study.search, "sum_n")).toEqual([{ kind: "constant", value: 12 }]);
    expect(study.params).toEqual({});
    const native = "study: s\ntarget: agent\nmatrix: {sum_n: [11, 12, 13], strategy: [hybrid]}";
    expect((await planned(native, { [name]: 12 })).runs).toEqual([{ sum_n: 12, strategy: "hybrid" }]);
  });

  test("that the target has not are told as ever, and what others have in their place is said", async () => {
    await expect(planned("study: s\ntarget: agent", { "hp-sum-k": 1 })).rejects.toThrow(
      'has no parameter "hp-sum-k"',
    );
    const { study } = await planned("study: s\ntarget: agent", {
      "num-workers": 4,
      "instances-subset": "verified",
    });
    expect(study.params).toEqual({ instances_subset: "all" });
    expect(study.warnings?.map(({ text }) => text)).toEqual([
      expect.stringContaining("num-workers: no parameter of this target; left out"),
      expect.stringContaining("verified is read as all"),
    ]);
  });
});

test("a program that only the workers have can be planned here, one that is sent to them must be here", async () => {
  const prepared = (command: string, kind: string) => {
    using folder = new TempFolder({
      "study.yaml": `study: s\ntarget: {command: [${command}]}\nexecutor: {kind: ${kind}}`,
    });
    return prepareStudy(loadStudies(`${folder.path}/study.yaml`)[0]!);
  };
  for (const kind of ["queue", "slurm"]) {
    expect((await prepared("only-on-workers", kind)).program).toContain("only-on-workers");
    await expect(prepared("./not-built", kind)).rejects.toThrow("./not-built does not exist");
  }
  await expect(prepared("only-on-workers", "process")).rejects.toThrow("not in PATH");
});
