import { describe, expect, test } from "vitest";
import { studyFrom } from "./source.ts";

const YAML = `
study: policies
question: Which one is fastest?
target: {command: [python, train.py, "\${args}", 3], cwd: code, watch: [data.csv], version: 2}
params: {pdfs: 10, nested: {deep: [1, "two", null, true]}, on: 1979-05-27}
matrix:
  workflows: [50, 100]
  beta: {values: [0.1, 0.2], when: workflows == 50}
zip: [{a: [1, 2], b: [x, y]}]
variants: [baseline, {name: no_hedge, params: {off: true}, flags: [--off]}]
where: workflows == 50
seeds: {count: 3, base: 7}
repeats: {warmup: 1, measured: 2}
instruments: [timing, {name: timing, every: 5}]
limits: {timeout: 10m, retries: 2, backoff: 200ms, grace: 1.5, costUsd: 5, stdout: 2MiB}
executor: {kind: process, jobs: 2}
artifacts: failed
analysis: {metric: makespan, goal: minimize, baseline: {workflows: 50}, pairBy: [seed]}
env: {A: "1"}
label: "\${workflows}"
`;
const TOML = `
study = "policies"
question = "Which one is fastest?"
where = "workflows == 50"
instruments = ["timing", {name = "timing", every = 5}]
artifacts = "failed"
label = "\${workflows}"
zip = [{a = [1, 2], b = ["x", "y"]}]
variants = ["baseline", {name = "no_hedge", params = {off = true}, flags = ["--off"]}]
seeds = {count = 3, base = 7}
repeats = {warmup = 1, measured = 2}
[target]
command = ["python", "train.py", "\${args}", 3]
cwd = "code"
watch = ["data.csv"]
version = 2
[params]
pdfs = 10
on = 1979-05-27
[params.nested]
deep = [1, "two", true]
[matrix]
workflows = [50, 100]
[matrix.beta]
values = [0.1, 0.2]
when = "workflows == 50"
[limits]
timeout = "10m"
retries = 2
backoff = "200ms"
grace = 1.5
costUsd = 5
stdout = "2MiB"
[executor]
kind = "process"
jobs = 2
[analysis]
metric = "makespan"
goal = "minimize"
baseline = {workflows = 50}
pairBy = ["seed"]
[env]
A = "1"
`;

describe("a native study", () => {
  const study = studyFrom(YAML);

  test("becomes a whole Study", () => {
    expect(study).toEqual({
      name: "policies",
      question: "Which one is fastest?",
      target: {
        kind: "command",
        argv: ["python", "train.py", "${args}", "3"],
        cwd: "/home/me/code",
        folder: "code",
        watch: ["data.csv"],
        version: "2",
      },
      params: { pdfs: 10, nested: { deep: [1, "two", null, true] }, on: "1979-05-27" },
      axes: [
        { names: ["workflows"], rows: [[50], [100]] },
        { names: ["beta"], rows: [[0.1], [0.2]], when: "workflows == 50" },
        {
          names: ["a", "b"],
          rows: [
            [1, "x"],
            [2, "y"],
          ],
        },
      ],
      variants: [
        { name: "baseline", params: {}, flags: [] },
        { name: "no_hedge", params: { off: true }, flags: ["--off"] },
      ],
      where: "workflows == 50",
      seeds: [7, 8, 9],
      repeats: { warmup: 1, measured: 2 },
      iterations: { warmup: 0, measured: 1 },
      instruments: [
        { name: "timing", options: {} },
        { name: "timing", options: { every: 5 } },
      ],
      limits: {
        timeoutMs: 600_000,
        graceMs: 1500,
        retries: 2,
        backoffMs: 200,
        costUsd: 5,
        stdoutBytes: 2 ** 21,
      },
      executor: { kind: "process", jobs: 2 },
      artifacts: "failed",
      analysis: { metric: "makespan", goal: "minimize", baseline: { workflows: 50 }, pairBy: ["seed"] },
      outRoot: "bench_runs",
      env: { A: "1" },
      label: "${workflows}",
    });
  });

  test("is the same in TOML and in JSON, spaces or tabs", () => {
    const { params, ...rest } = studyFrom(TOML, "study.toml");
    const { params: expected, ...others } = study;
    expect(rest).toEqual(others);
    expect(params).toEqual({ ...expected, nested: { deep: [1, "two", true] } });
    const data = { study: "x", target: "noop", params: { text: "é😀/\"'\n", n: 1e5 }, matrix: { a: [1, 2] } };
    const yaml = studyFrom(
      'study: x\ntarget: noop\nparams: {text: "é😀/\\"\'\\n", n: 100000}\nmatrix: {a: [1, 2]}\n',
    );
    for (const indent of [0, 2, "\t"])
      expect(studyFrom(JSON.stringify(data, null, indent), "a.json")).toEqual(yaml);
  });

  test("needs nothing but a target, and is named after its file", () => {
    expect(studyFrom("target: noop", "runs/first.yaml")).toMatchObject({
      name: "first",
      target: { kind: "shipped", name: "noop" },
      seeds: [1],
      axes: [],
      variants: [{ name: "baseline" }],
      repeats: { warmup: 0, measured: 1 },
      limits: { timeoutMs: 0, retries: 0 },
      executor: { kind: "", jobs: 0 },
    });
  });

  test.each([
    ["./mine.ts", "/home/me/mine.ts"],
    ["mine.mjs", "/home/me/mine.mjs"],
    ["../mine", "/home/me/../mine"],
    ["/opt/mine.ts", "/opt/mine.ts"],
  ])("takes the target %s for a file", (target, path) => {
    expect(studyFrom(`target: ${target}`).target).toEqual({ kind: "file", path });
  });

  test("runs a command in the folder that it names, absolute or beside the study", () => {
    const cwdOf = (cwd: string) => studyFrom(`target: {command: [ls]${cwd}}`).target;
    expect(cwdOf("")).toMatchObject({ cwd: "/home/me" });
    expect(cwdOf(", cwd: /data")).toMatchObject({ cwd: "/data" });
  });

  test("takes a command as one line, split as a shell would", () => {
    const argvOf = (text: string) => studyFrom(`target:\n  command: ${text}`).target;
    expect(argvOf(`python3 -c 'print("a b")' --model \${model}`)).toMatchObject({
      argv: ["python3", "-c", 'print("a b")', "--model", "${model}"],
    });
    expect(() => argvOf("python3 x.py | wc")).toThrow(
      /^study\.yaml:2:3 target\.command: "\|" in the command needs a shell/,
    );
    expect(() => argvOf("7")).toThrow("target.command: expected a command line such as");
  });

  test.each([
    ["fifo", { policy: "fifo" }],
    ["4", { size: 4 }],
    ["no_hedge", { variant: "no_hedge" }],
    ["y", { b: "y" }],
    ["{policy: lru, size: 4}", { policy: "lru", size: 4 }],
  ])("takes the baseline %s for the arm that has it", (text, baseline) => {
    const arms = "matrix: {policy: [fifo, lru], size: [1, 4]}\nzip: [{a: [1, 2, 3], b: [x, y, y]}]";
    const variants = "variants: [baseline, no_hedge]";
    const study = studyFrom(`target: noop\n${arms}\n${variants}\nanalysis: {baseline: ${text}}`);
    expect(study.analysis).toEqual({ baseline });
  });

  test.each([
    ["15", Array.from({ length: 15 }, (_, i) => i + 1)],
    ["[5, 3]", [5, 3]],
    ["{count: 2}", [1, 2]],
    ["3..6", [3, 4, 5, 6]],
    ["4,7..9", [4, 7, 8, 9]],
    ["{count: 2, base: 1072}", [1072, 1073]],
  ])("reads seeds: %s", (text, expected) => {
    expect(studyFrom(`target: noop\nseeds: ${text}`).seeds).toEqual(expected);
  });

  test.each([
    ["timeout: 1.5h", { timeoutMs: 5_400_000 }],
    ["timeout: 30", { timeoutMs: 30_000 }],
    ["grace: 250 ms", { graceMs: 250 }],
    ["backoff: 1d", { backoffMs: 86_400_000 }],
    ["stdout: 1.5KB", { stdoutBytes: 1500 }],
    ["stdout: 1GiB", { stdoutBytes: 2 ** 30 }],
    ["stdout: 5", { stdoutBytes: 5 }],
  ])("reads %s", (text, expected) => {
    expect(studyFrom(`target: noop\nlimits: {${text}}`).limits).toMatchObject(expected);
  });

  test("reads models: as the way to models, and its limits as those of all calls", () => {
    const { models, limits } = studyFrom(
      "target: {command: [x]}\nmodels: {cache: true, perMinute: 300, concurrent: 8, budgetUsd: 5, prices: p.yaml}",
    );
    expect(limits).toMatchObject({ callsPerMinute: 300, callsAtOnce: 8, totalCostUsd: 5 });
    expect(models).toMatchObject({
      ...{ tries: 6, cacheDir: expect.stringMatching(/\/\.assay-models$/) },
      pricesFile: expect.stringMatching(/\/p\.yaml$/),
    });
    expect(studyFrom("target: {command: [x]}\nmodels: {}").models).toEqual({ tries: 6 });
    expect(() =>
      studyFrom("target: {command: [x]}\nlimits: {callsAtOnce: 1}\nmodels: {concurrent: 2}"),
    ).toThrow("limits.callsAtOnce say the same thing");
  });

  test.each([
    ["sedes: 3", 'study.yaml:2:1 sedes: unknown key "sedes". Did you mean "seeds"?'],
    ["limits: {timout: 3}", 'study.yaml:2:10 limits.timout: unknown key "timout". Did you mean "timeout"?'],
    ["executor: {job: 3}", 'Did you mean "jobs"?'],
    ["matrix: {a: {value: [1]}}", 'Did you mean "values"?'],
    ["variants: [{nam: x}]", "variants.0"],
    ["seeds: abc", "study.yaml:2:1 seeds: expected whole numbers such as [1, 2, 3]"],
    ["seeds: [1, 2.5]", "study.yaml:2:12 seeds.1: expected a whole number, got 2.5"],
    ["seeds: 0", "seeds: expected"],
    ["seeds: 9..1", "seeds: expected whole numbers such as [1, 2, 3], a range such as 11..20"],
    ["seeds: '15'", "seeds: expected whole numbers such as [1, 2, 3], a range such as 11..20"],
    ["seeds: 1..4,4", "study.yaml:2:1 seeds: seed 4 is listed twice. Remove one"],
    ["seeds: 5000000000", "seeds: expected a number of at most 10000000"],
    ["seeds: [1, 2, 1]", "study.yaml:2:1 seeds: seed 1 is listed twice. Remove one"],
    ["matrix: {a: [1, 2, 1]}", "study.yaml:2:10 matrix.a: 1 is listed twice"],
    ["matrix: {a: [{x: 1, y: 2}, {y: 2, x: 1}]}", "is listed twice"],
    ["zip: [{a: [1, 1], b: [2, 2]}]", "study.yaml:2:1 zip: [1,2] is listed twice"],
    ["variants: [on, off, on]", 'study.yaml:2:21 variants.2: the name "on" is given twice'],
    ["matrix: {a: []}", "matrix.a: expected at least 1 item, got []"],
    ["matrix: {a: 3}", "matrix.a: expected a list or named values, got 3"],
    ["matrix: [a]", 'matrix: expected named values, got ["a"]'],
    [
      "params: {a: .nan}",
      "params.a: expected a text, a number, true, false, null, a list or named values, got NaN",
    ],
    ["zip: [{a: [1, 2], b: [1]}]", "lists of equal length, since they move together, got a: 2, b: 1"],
    [
      "limits: {timeout: soon}",
      "limits.timeout: expected a duration such as 10m, 1.5h, 200ms, or a number of seconds",
    ],
    ["limits: {timeout: -5}", "limits.timeout: expected a number of at least 0, got -5"],
    ["limits: {stdout: 5XB}", "limits.stdout: expected a size such as 10MB"],
    ["limits: {costUsd: 0}", "limits.costUsd: expected a number above 0, got 0"],
    [
      "matrix: {a: [x], b: [x]}\nanalysis: {baseline: x}",
      'study.yaml:3:12 analysis.baseline: expected a value that one parameter has, got "x", which {a: "x"} and {b: "x"} have. Name the parameter: {a: "x"}, {b: "x"}.',
    ],
    [
      "matrix: {a: [x, y]}\nanalysis: {baseline: z}",
      'got "z", which none has. Name the parameter: {a: "x"}, {a: "y"}',
    ],
    ["matrix: {a: [x, y]}\nanalysis: {baseline: {a: z}}", 'expected a: "x", "y", got {a: "z"}'],
    ["artifacts: some", 'artifacts: expected one of "all", "failed", "none", got "some"'],
    ["study: ''", "study: expected a text that is not empty"],
  ])("refuses %s with its place and a remedy", (text, message) => {
    expect(() => studyFrom(`target: noop\n${text}`)).toThrow(message);
    expect(() => studyFrom(`target: noop\n${text}`)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  test("says what a target can be when there is none, or one without a program", () => {
    expect(() => studyFrom("study: x")).toThrow(
      "target: expected a shipped target's name, a ./file.ts or ./file.py, or {command: [program, ...]}, got nothing",
    );
    expect(() => studyFrom("target: {comand: [ls]}")).toThrow(
      'unknown key "comand". Did you mean "command"?',
    );
    expect(() => studyFrom("target: {command: []}")).toThrow("target.command: expected at least 1 item");
  });

  test("finds the line of a mistake in TOML too", () => {
    expect(() => studyFrom('target = "noop"\n[limits]\ntimout = 3\n', "a.toml")).toThrow(
      'a.toml:3:1 limits.timout: unknown key "timout". Did you mean "timeout"?',
    );
  });
});
