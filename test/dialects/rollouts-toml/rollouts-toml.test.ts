import { describe, expect, test } from "vitest";
import { rolloutsToml } from "../../../src/dialects/rollouts-toml/rollouts-toml.ts";
import { parseSource } from "../../../src/dialects/source-file.ts";
import { Plan } from "../../../src/plan/plan.ts";
import { studyFrom, studyOf } from "../source.ts";

const read = (text: string) => studyFrom(text, "configs/nightly.toml");
const runsOf = (text: string) => [...new Plan(read(text), "program").runs()];
const entry = (dir: string, rest: string) =>
  `[[tasks]]\nprepared_dir = "data/tasks/prepared/${dir}"\n${rest}\n`;

const YOUR_BENCHMARK = `
name = "my_benchmark"
parallel = 4

[[tasks]]
prepared_dir = "data/tasks/prepared/task_1"
model = "gpt-4"
rollouts = 3
apply_overrides = true
overrides = "data/tasks/prepared/task_1/overrides.json"

[[tasks]]
prepared_dir = "data/tasks/prepared/task_2"
model = "claude-3-sonnet"
rollouts = 5
apply_overrides = false

[[tasks]]
prepared_dir = "data/tasks/prepared/task_3"
model = "gpt-3.5-turbo"
rollouts = 1
`;
const MODEL_COMPARISON = `name = "model_comparison"\nparallel = 2\n${[
  "gpt-4",
  "claude-3-sonnet",
  "gemini-pro",
]
  .map((model) => entry("algorithm_task", `model = "${model}"\nrollouts = 5`))
  .join("")}`;
const PARAMETER_SWEEP = `name = "parameter_sweep"\nparallel = 3\n${["1800", "3600"]
  .map((seconds) =>
    entry(
      "coding_task",
      `model = "gpt-4"\nrollouts = 3\nenvironment_variables = { "TIMEOUT_SEC" = "${seconds}" }`,
    ),
  )
  .join("")}`;
const MIXED = `name = "mixed_workloads"\nparallel = 4\n${[
  ["refactor_code", "gpt-4", 3],
  ["optimize_algorithm", "claude-3-sonnet", 3],
  ["write_docs", "gpt-3.5-turbo", 2],
]
  .map(([dir, model, rollouts]) => entry(`${dir}`, `model = "${model}"\nrollouts = ${rollouts}`))
  .join("")}`;

describe("rollouts files for common questions", () => {
  test("a model comparison is three cells of one task, five times each", () => {
    const { study, dialect } = studyOf({ "configs/c.toml": MODEL_COMPARISON });
    expect(dialect).toBe("rollouts-toml");
    expect(study).toMatchObject({
      name: "model_comparison",
      target: { kind: "shipped", name: "rollout" },
      params: {},
      axes: [{ names: ["model"], rows: [["gpt-4"], ["claude-3-sonnet"], ["gemini-pro"]] }],
      seeds: [1, 2, 3, 4, 5],
      tasks: ["data/tasks/prepared/algorithm_task"],
      executor: { kind: "", jobs: 2 },
      outRoot: "data/rollouts",
      isStamped: true,
      numbering: [0, 1, 2].map((row) => ({
        task: "data/tasks/prepared/algorithm_task",
        row,
        first: 1,
        count: 5,
      })),
      analysis: { metric: "score", goal: "maximize", pairBy: ["task"], baseline: { model: "gpt-4" } },
    });
    expect(study.where).toBeUndefined();
    expect(runsOf(MODEL_COMPARISON)).toHaveLength(15);
  });

  test("a parameter sweep is two cells that differ in their environment", () => {
    const study = read(PARAMETER_SWEEP);
    expect(study.params).toEqual({ model: "gpt-4" });
    expect(study.axes).toEqual([
      { names: ["env"], rows: [[{ TIMEOUT_SEC: "1800" }], [{ TIMEOUT_SEC: "3600" }]] },
    ]);
    expect(runsOf(PARAMETER_SWEEP)).toHaveLength(6);
  });

  test("mixed workloads have each model on its own task only", () => {
    const runs = runsOf(MIXED);
    expect(
      runs.map(({ task, params, seed }) => `${task?.split("/").at(-1)} ${params.model} ${seed}`),
    ).toEqual([
      ...[1, 2].flatMap((n) => [
        `refactor_code gpt-4 ${n}`,
        `optimize_algorithm claude-3-sonnet ${n}`,
        `write_docs gpt-3.5-turbo ${n}`,
      ]),
      "refactor_code gpt-4 3",
      "optimize_algorithm claude-3-sonnet 3",
    ]);
  });

  test("the first one has a task's own overrides as no cell of their own", () => {
    const study = read(YOUR_BENCHMARK);
    expect(study.axes[0]?.names).toEqual(["model", "apply_overrides"]);
    expect(runsOf(YOUR_BENCHMARK)).toHaveLength(9);
  });
});

describe("a rollouts file", () => {
  test("without more than a task is one rollout at a time, and has the file's name", () => {
    const study = read(entry("t", ""));
    expect(study).toMatchObject({ name: "nightly", executor: { jobs: 1 }, seeds: [1], params: {}, axes: [] });
    expect(study.analysis.baseline).toBeUndefined();
  });

  test("adds up entries that say the same", () => {
    const same = entry("t", 'model = "m"\nrollouts = 2');
    const runs = runsOf(`${same}${entry("t", 'model = "n"')}${entry("t", 'model = "m"\nrollouts = 3')}`);
    expect(runs.filter(({ params }) => params.model === "m").map(({ seed }) => seed)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect(runs.filter(({ params }) => params.model === "n")).toHaveLength(1);
  });

  test("takes agents by name, by command and with an environment, for all or for one entry", () => {
    const text = `agent = "claude"
sandbox = "directory"
network = true
judge = "openai/gpt-5-mini"
judge_repeats = 3
timeout = "20m"
max_cost = 2.5
${entry("a", "")}${entry("b", 'agent = ["sh", "fix.sh", "${prompt_file}"]')}
${entry("a", 'agent = { name = "mine", command = ["./mine"], env = { LEVEL = 3 } }')}
${entry("a", 'agent = { name = "mine", command = ["./mine"] }')}`;
    const study = read(text);
    expect(study.params).toEqual({
      sandbox: "directory",
      network: true,
      judge: "openai/gpt-5-mini",
      judge_repeats: 3,
      agent_timeout_s: 1200,
    });
    expect(study.limits.costUsd).toBe(2.5);
    expect(study.axes[0]?.rows).toEqual([
      ["claude"],
      [["sh", "fix.sh", "${prompt_file}"]],
      [{ name: "mine", command: ["./mine"], env: { LEVEL: "3" } }],
      [{ name: "mine", command: ["./mine"] }],
    ]);
    expect(runsOf(text).map(({ task, params }) => [task?.at(-1), params.agent])).toEqual([
      ["a", "claude"],
      ["a", { name: "mine", command: ["./mine"], env: { LEVEL: "3" } }],
      ["a", { name: "mine", command: ["./mine"] }],
      ["b", ["sh", "fix.sh", "${prompt_file}"]],
    ]);
  });

  test("keeps apart tasks and models whose names hold quotes and backslashes", () => {
    const text = `[[tasks]]\nprepared_dir = 'a\\b'\nmodel = "it's"\n[[tasks]]\nprepared_dir = "c"\nmodel = "m"\nrollouts = 2`;
    expect(runsOf(text).map(({ task, params, seed }) => [task, params.model, seed])).toEqual([
      ["a\\b", "it's", 1],
      ["c", "m", 1],
      ["c", "m", 2],
    ]);
  });

  test("has a condition that grows with its cells, not with its tasks", () => {
    const many = Array.from({ length: 300 }, (_, i) => entry(`t${i}`, `model = "m${i % 3}"\nrollouts = 2`));
    const study = read(many.join(""));
    expect(study.where?.match(/\|\|/g)).toHaveLength(2);
    expect(new Plan(study, "program").count()).toBe(600);
  });
});

describe("a rollouts file with a pattern for its tasks", () => {
  const text = `${entry("*", 'model = "m"\nrollouts = 2')}${entry("b", 'model = "m"')}`;
  const file = (found: string[]) => ({
    ...parseSource("nightly.toml", text, { dir: "/d", callerDir: "/d" }),
    findFolders: () => found,
  });

  test("has an entry for each folder, which adds up with others", () => {
    const prepared = ["a", "b"].map((name) => `data/tasks/prepared/${name}`);
    const { tasks, numbering } = rolloutsToml.parse(file(prepared));
    expect(tasks).toEqual(prepared);
    expect(numbering).toMatchObject([
      { task: prepared[0], first: 1, count: 2 },
      { task: prepared[1], first: 1, count: 2 },
      { task: prepared[1], first: 3, count: 1 },
    ]);
  });

  test("that no folder fits is refused with its place", () => {
    expect(() => rolloutsToml.parse(file([]))).toThrow(
      /^nightly\.toml:2:1 tasks\.0\.prepared_dir: no folder is data\/tasks\/prepared\/\*/,
    );
  });
});

test("a rollouts file says what agents and tests may use", () => {
  const keys = 'network = true\ngrade_network = true\nmemory_mb = 2048\ndisk_mb = 500\ntimeout = "2m"\n';
  expect(read(`${keys}${entry("a", "")}`).params).toEqual({
    ...{ network: true, grade_network: true, memory_mb: 2048, disk_mb: 500, agent_timeout_s: 120 },
  });
});

describe("mistakes in a rollouts file", () => {
  const two = `${entry("a", "")}${entry("b", "")}`;
  test.each([
    [
      `${two}modle = "x"`,
      'configs/nightly.toml:7:1 tasks.1.modle: unknown key "modle". Did you mean "model"?',
    ],
    [`${entry("a", "")}[[tasks]]\nmodel = "x"`, "configs/nightly.toml:4:1 tasks.1.prepared_dir: expected"],
    [`${two}rollouts = 0`, "configs/nightly.toml:7:1 tasks.1.rollouts: expected"],
    [
      `paralel = 2\n${two}`,
      'configs/nightly.toml:1:1 paralel: unknown key "paralel". Did you mean "parallel"?',
    ],
    [`${two}environment_variables = { "A B" = "1" }`, "expected names of environment variables"],
    [`${two}agent = 7`, "tasks.1.agent: expected an agent's name"],
  ])("are told with their place: %#", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
