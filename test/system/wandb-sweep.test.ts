import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasPython } from "../support/example.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { outsideFiles } from "../support/outside-files.ts";

const real = outsideFiles("wandb-sweeps");
const GRIDS: Record<string, number> = { "nested-cli": 8, "local-hyperband": 27, "ct-bedrock_hparams": 27 };

/**
 * Prints its parameters by Python's own rules, as that tool's agent does, and compares them with the words that it
 * got: whatever differs, the program behind a sweep file would notice.
 */
const ECHO = `import json, os, sys

config = json.load(open(os.environ["WANDB_SWEEP_PARAM_PATH"]))
assert config.pop("wandb_version") == 1
form = os.environ.get("FORM", "--{}={}")
expected = [form.format(name, config[name]["value"]) for name in sorted(config)]
metrics = {name: 1.0 for name in ["loss", "val_loss", "loss_metric", "submission_rate"]}
metrics["same"] = sys.argv[1 : 1 + len(expected)] == expected
metrics["ids"] = bool(os.environ["WANDB_SWEEP_ID"]) and os.environ["WANDB_RUN_ID"] in os.environ["ASSAY_RUN_ID"]
with open(os.environ["ASSAY_OUT_DIR"] + "/metrics.json", "w") as out:
    json.dump(metrics, out)
with open(os.environ["ASSAY_OUT_DIR"] + "/argv.json", "w") as out:
    json.dump(sys.argv, out)
`;

function argvOf(project: Project, study: string): string[][] {
  return project
    .records(study)
    .map(({ id }) => JSON.parse(project.read(`bench_runs/${study}/runs/${id}/out/argv.json`)) as string[])
    .sort();
}

async function sweepIn(files: Record<string, string>): Promise<Project> {
  return fixture("program", files);
}

describe("a Python program behind a sweep file", () => {
  test.skipIf(!real.isHere)(`that others wrote, there are eight${real.note}`, () => {
    expect(real.names).toHaveLength(8);
  });

  for (const name of real.names) {
    test(`gets the words that it always got: ${name}`, async ({ skip }) => {
      skip(!hasPython(), "python3 is not installed");
      const study = name.replace(".yaml", "");
      const text = readFileSync(real.path(name), "utf8");
      const program = /^program: (.*)$/m.exec(text)![1]!;
      const runs = GRIDS[study] ?? 3;
      await using project = await sweepIn({
        [program]: ECHO,
        [name]: study in GRIDS ? text : `${text}\nrun_cap: ${runs}\n`,
      });
      if (text.includes("args_no_hyphens")) project.env.FORM = "{}={}";
      const ran = await project.assay("run", name, "--jobs", "2", "--no-report");
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      const records = project.records(study);
      expect(records).toHaveLength(runs);
      for (const { metrics } of records) expect(metrics).toMatchObject({ same: 1, ids: 1 });
      expect(new Set(argvOf(project, study).map(String)).size).toBe(runs);
    });
  }

  test("gets numbers, truth and nested values as Python prints them", async ({ skip }) => {
    skip(!hasPython(), "python3 is not installed");
    await using project = await sweepIn({
      "echo.py": ECHO,
      "odd.yaml": `program: echo.py
method: grid
parameters:
  a: {values: [1e-5, 1.0, 100000.0, 1, 1.5e16]}
  b: {values: [true, false]}
  c: {value: null}
  d: {value: [1, 2.0, "it's", {k: False}]}
  e: {parameters: {lr: {value: 0.001}, deep: {parameters: {beta: {value: 3.0}}}}}
  f: {value: "a b \\u00e9"}
  seed: {values: [5]}
`,
    });
    const ran = await project.assay("run", "odd.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const records = project.records("odd");
    // 1.0 and 1 are one number here: 4 x 2.
    expect(records).toHaveLength(8);
    for (const { metrics } of records) expect(metrics).toMatchObject({ same: 1, ids: 1 });
    expect(argvOf(project, "odd")).toContainEqual([
      "echo.py",
      "--a=1e-05",
      "--b=False",
      "--c=None",
      "--d=[1, 2.0, \"it's\", {'k': False}]",
      "--e={'deep': {'beta': 3.0}, 'lr': 0.001}",
      "--f=a b é",
      "--seed=5",
    ]);
  });

  test("finds its arguments in a file, and leaves its numbers as that library does", async ({ skip }) => {
    skip(!hasPython(), "python3 is not installed");
    await using project = await sweepIn({
      "sub/train.py": `import json, os, sys

args = json.load(open(sys.argv[1]))
folder = os.path.join(os.environ["WANDB_DIR"], "wandb", "offline-run-1", "files")
os.makedirs(folder)
with open(os.path.join(folder, "wandb-summary.json"), "w") as out:
    json.dump({"loss": args["x"] * 2, "_runtime": 3, "nested": {"acc": 0.5}}, out)
`,
      "file.yaml": `program: sub/train.py
method: grid
parameters: {x: {values: [1, 2.5]}}
command:
  - \${env}
  - \${interpreter}
  - \${program}
  - \${args_json_file}
`,
    });
    const ran = await project.assay("run", "file.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const metrics = project.records("file").map((record) => record.metrics);
    expect(metrics.sort((a, b) => a.loss! - b.loss!)).toEqual([
      { loss: 2, "nested.acc": 0.5 },
      { loss: 5, "nested.acc": 0.5 },
    ]);
  });
});

describe("assay plan of a sweep file", () => {
  test("counts, shows the commands, and tells what has no effect", async () => {
    await using project = await sweepIn({
      "s.yaml": `program: train.py
method: grid
project: somewhere
parameters:
  x: {values: [1, 2, 1]}
  y: {values: [true, false]}
`,
    });
    const { code, stdout, stderr } = await project.assay("plan", "s.yaml", "--runs", "--limit", "1");
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("warning: s.yaml:3:1 project: has no effect");
    expect(stdout).toContain("s (wandb-sweep): grid search, 4 runs");
    expect(stdout).toMatch(/\/usr\/bin\/env python3? train.py --x=1 --y=True\n/);
    expect(stdout).toContain("... and 3 runs more");
  });

  test("is quick for a million points", async () => {
    const thousand = Array.from({ length: 1000 }, (_, i) => i).join(", ");
    await using project = await sweepIn({
      "big.yaml": `program: t.py
method: grid
parameters:
  a: {values: [${thousand}]}
  b: {values: [${thousand}]}
`,
    });
    const { stdout, code } = await project.assay("plan", "big.yaml", "--json", "--runs", "--limit", "2");
    expect(code).toBe(0);
    const planned = JSON.parse(stdout);
    expect(planned).toMatchObject({ total: 1_000_000, search: { points: 1_000_000, saved: 0 } });
    expect(planned.runs.map(({ params }: { params: object }) => params)).toEqual([
      { a: 0, b: 0 },
      { a: 0, b: 1 },
    ]);
  });
});
