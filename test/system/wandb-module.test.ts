import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasPython } from "../support/example.ts";
import { fixture } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";
import { WANDB_PROGRAMS, WandbCall } from "../support/wandb-programs.ts";

/** What the real library records for the same programs; test/python/wandb.test.ts compares the two. */
const EXPECTED: Record<string, { config?: object; last?: object; rows: number; summary: object }> = {
  quickstart: { config: { epochs: 10 }, rows: 8, summary: { _step: 7 } },
  argparse_config: {
    config: { lr: 0.25, batch_size: 64, epochs: 3 },
    rows: 3,
    summary: { loss: 0.421875, epoch: 2 },
  },
  no_args: { config: { epochs: 4, learning_rate: 0.1 }, rows: 4, summary: { epoch: 3 } },
  hydra_overrides: {
    config: { optimizer: { name: "adam", lr: 0.01 }, tag: "fast" },
    rows: 5,
    summary: { train: { loss: 0.01, width: 64 } },
  },
  nested_sweep: {
    config: { optimizer: { name: "adam", lr: 0.5, momentum: 0.9 }, epochs: 3 },
    rows: 3,
    summary: { params: { count: 1200, layers: { dense: 2 } } },
  },
  torch_loop: {
    config: { lr: 0.2, batches: 4 },
    rows: 15,
    last: { epoch: 2 },
    summary: { "batch/seen": 12 },
  },
  explicit_steps: {
    rows: 6,
    last: { pending: 7, _step: 27 },
    summary: { train_acc: 20 / 30, after: 1 },
  },
  define_metrics: {
    rows: 10,
    last: { "train/loss": 0.05, global_step: 500 },
    summary: { "val/acc": { max: 0.9 }, "val/loss": { min: -2, max: 2, mean: 0, last: -2 } },
  },
  summaries: { rows: 3, summary: { best_accuracy: 0.8, best_epoch: 1, accuracy: 0.6, note: "done" } },
  tables_and_media: {
    rows: 3,
    summary: { predictions: { kind: "table-file", nrows: 4, ncols: 3 }, loss: 0.125 },
  },
  artifacts: { rows: 1, summary: { size: 3 } },
  many_runs: { config: { fold: 2 }, rows: 2, summary: { loss: 2.1 } },
  diverges: { rows: 3, summary: { loss: "NaN", ok: false, word: "loss nan", sizes: [1, 2] } },
  config_styles: {
    config: { lr: 0.2, "flag-like": 1, workers: 2, warmup: 5, depth: 3 },
    rows: 1,
    summary: { score: 0.8 },
  },
  callback: { config: { epochs: 4 }, rows: 4, summary: { best_val_loss: 0.1, best_epoch: 2 } },
  crashes: { rows: 2, summary: { loss: 0.9 } },
};

describe.skipIf(!hasPython())("a program that imports wandb", () => {
  for (const [name, { code = 0 }] of Object.entries(WANDB_PROGRAMS)) {
    test(`is recorded as the real library would: ${name}`, () => {
      using call = new WandbCall(name);
      expect(call.code, call.stderr).toBe(code);
      const { config, history, summary } = call.recorded;
      const expected = EXPECTED[name]!;
      expect(config).toMatchObject(expected.config ?? {});
      expect(history).toHaveLength(expected.rows);
      expect(history.at(-1)).toMatchObject(expected.last ?? {});
      expect(summary).toMatchObject(expected.summary);
    });
  }

  test("is told once, by name, what is not supported, and goes on", () => {
    using call = new WandbCall("beyond");
    expect(call.code, call.stderr).toBe(0);
    const said = call.stderr.split("\n").filter((line) => line.includes("not supported"));
    expect(said).toEqual(
      [
        "wandb.init(sync_tensorboard=...)",
        "wandb.Api",
        "wandb.integration.keras.WandbMetricsLogger",
        "wandb.plot",
        "wandb.watch",
      ].map((what) => `wandb: WARNING ${what} is not supported under Assay and does nothing`),
    );
    expect(call.stderr).toContain("not sent to W&B; ASSAY_WANDB=real");
    expect(call.recorded.summary).toMatchObject({ acc: 0.75, pixels: { kind: "image-file" } });
    const [picture] = readdirSync(`${call.runDir}/media/images`);
    expect(readFileSync(`${call.runDir}/media/images/${picture}`).subarray(1, 4).toString()).toBe("PNG");
  });

  test("keeps artifacts and saved files", () => {
    using artifacts = new WandbCall("artifacts");
    expect(readFileSync(`${artifacts.runDir}/artifacts/model/weights.txt`, "utf8")).toBe("1 2 3");
    expect(readFileSync(`${artifacts.runDir}/artifacts/model/notes.txt`, "utf8")).toBe("made by a test");
    using loop = new WandbCall("torch_loop");
    expect(readFileSync(`${loop.runDir}/model.txt`, "utf8")).not.toBe("");
  });

  test("and sweeps by itself does its points in turn, or the study's one", () => {
    using alone = new WandbCall("agent_function");
    expect(alone.series.map(({ score }) => score)).toEqual([10, 20, 20]);
    expect(alone.stderr).toContain("assay run sweep.yaml");
    using told = new WandbCall("agent_function", { env: { ASSAY_PARAMS: '{"x": 7, "y": 3}' } });
    expect(told.series.map(({ score }) => score)).toEqual([21]);
  });
});

describe.skipIf(!hasPython())("wandb.log under a study", () => {
  test("gives metrics and series, and early_terminate acts on it", async () => {
    await using project = await fixture("program", {
      "train.py": `import os, time, wandb
run = wandb.init(config={"lr": 9, "layers": 2})
for epoch in range(3):
    wandb.log({"val_loss": run.config.lr * (3 - epoch), "epoch": epoch})
    gate = "good" if epoch == 0 and run.config.lr > 2 else "go" if epoch == 1 else ""
    while gate and not os.path.exists(gate):
        time.sleep(0.02)
`,
      "sweep.yaml": `program: train.py
method: grid
metric: {name: val_loss, goal: minimize}
early_terminate: {type: hyperband, min_iter: 1, max_iter: 4, s: 1, eta: 2}
parameters: {lr: {values: [1, 2, 3]}}
`,
    });
    const run = project.start("run", "sweep.yaml", "--jobs", "3", "--no-report", "--json");
    const linesOf = (run: string) => project.lines(`bench_runs/sweep/runs/${run}/series.jsonl`).length;
    const reached = (count: number) =>
      project.list("bench_runs/sweep/runs").filter((run) => linesOf(run) === count).length;
    // The better two are at the band before the worst comes there.
    await waitFor("the better runs to wait", () => reached(2) === 2 && reached(1) === 1);
    project.write("good", "");
    const stopped = () =>
      project.lines("bench_runs/sweep/journal.jsonl").filter((line) => line.includes('"stopped"'));
    await waitFor("the worst run to be stopped", () => stopped().length === 1);
    project.write("go", "");
    const ended = await run.ended;
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const records = project.records("sweep").sort((a, b) => Number(a.params.lr) - Number(b.params.lr));
    expect(records.map(({ outcome }) => outcome.status)).toEqual(["ok", "ok", "stopped"]);
    expect(records[0]!.metrics).toMatchObject({ val_loss: 1, epoch: 2 });
    expect(records[2]!.metrics).toMatchObject({ val_loss: 6 });
    expect(records[2]!.outcome.reason).toBe("hyperband: its best by band 2 is 6, the threshold of 3 runs 4");
  });

  test("knows the parameters of any study, and makes way for the installed library", async () => {
    await using project = await fixture("program", {
      "train.py": `import json, os, sys
has_ours = any(path.endswith("stand-ins") for path in sys.path)
if has_ours:
    import wandb
    with wandb.init() as run:
        wandb.log({"score": run.config.rate * 2})
else:
    with open(os.environ["ASSAY_OUT_DIR"] + "/metrics.json", "w") as out:
        json.dump({"score": -1, "theirs": "mine" in os.environ["PYTHONPATH"]}, out)
`,
      "study.yaml": `target: {command: [python3, train.py]}
matrix: {rate: [1.5, 2.5]}
env: {PYTHONPATH: /mine}
`,
    });
    expect(await project.assay("run", "study.yaml", "--no-report")).toMatchObject({ code: 0 });
    const scores = () => project.records("study").map(({ metrics }) => metrics.score);
    expect(scores().sort()).toEqual([3, 5]);
    project.edit("study.yaml", "{PYTHONPATH: /mine}", "{PYTHONPATH: /mine, ASSAY_WANDB: real}");
    expect(await project.assay("run", "study.yaml", "--no-report")).toMatchObject({ code: 0 });
    expect(scores().slice(2)).toEqual([-1, -1]);
  });
});
