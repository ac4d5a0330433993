import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { assayPath, Launched } from "../support/launch.ts";
import { missingModules, python, pythonBin, whyNot } from "../support/python-packages.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";
import { WandbServer } from "../support/wandb-server.ts";

const PROGRAM = `
import os
import assay
rate = assay.param("rate")
for step in (1, 2, 3):
    assay.series(step=step, loss=1 / (1 + rate * step))
assay.metrics(loss=1 / (1 + rate * 3), note="done")
open(os.path.join(assay.out_dir(), "notes ä.txt"), "w").write("hello")
if rate == 0.3:
    raise SystemExit(3)
`;
const STUDY = `
study: fit
target: {command: [python3, fit.py]}
matrix: {rate: [0.1, 0.2, 0.3]}
seeds: 2
analysis: {metric: loss, goal: minimize}
`;
/** What MLflow's own client says of the experiment: its runs, one's series and files. */
const READ = `
import json, sys, mlflow
mlflow.set_tracking_uri(sys.argv[1])
runs = mlflow.search_runs(experiment_names=["fit"], output_format="list")
client = mlflow.MlflowClient()
def told(run):
    id = run.info.run_id
    return {
        "params": run.data.params, "metrics": run.data.metrics, "status": run.info.status,
        "arm": run.data.tags["assay.arm"], "note": run.data.tags.get("assay.note"),
        "series": [[m.step, m.value] for m in client.get_metric_history(id, "loss")],
        "file": open(client.download_artifacts(id, "out/notes ä.txt")).read(),
    }
print(json.dumps({run.data.tags["assay.run_id"]: told(run) for run in runs}))
print(len(runs))
`;

const folder = new TempFolder({ "fit.py": PROGRAM, "fit.yaml": STUDY });
afterAll(() => folder[Symbol.dispose]());
const cwd = folder.path;
const { WANDB_DIR: _, MLFLOW_TRACKING_URI: __, ...env } = process.env;
const quiet = { MLFLOW_DISABLE_TELEMETRY: "true", MLFLOW_SERVER_ENABLE_JOB_EXECUTION: "false" };

function assay(...words: string[]): string {
  return execFileSync(process.execPath, [assayPath, ...words], { cwd, env, encoding: "utf8" });
}

function runStudy(): void {
  try {
    assay("run", "fit.yaml");
  } catch {
    // Two of its runs fail, as they should.
  }
}

function readMlflow(address: string): { runs: Record<string, MlflowTold>; count: number } {
  const options = { cwd, env: { ...env, ...quiet, MLFLOW_ALLOW_FILE_STORE: "true" } };
  const lines = execFileSync(python, ["-c", READ, address], { ...options, encoding: "utf8" })
    .trim()
    .split("\n");
  return { runs: JSON.parse(lines.at(-2)!), count: Number(lines.at(-1)) };
}

interface MlflowTold {
  params: Record<string, string>;
  metrics: Record<string, number>;
  status: string;
  arm: string;
  note: string | null;
  series: [number, number][];
  file: string;
}

function expectAll({ runs, count }: ReturnType<typeof readMlflow>): void {
  expect(count).toBe(6);
  const all = Object.values(runs);
  expect(all.filter(({ status }) => status === "FAILED").map(({ params }) => params.rate)).toEqual([
    "0.3",
    "0.3",
  ]);
  for (const { params, metrics, arm, note, series, file } of all) {
    const rate = Number(params.rate);
    expect(arm).toBe(`rate=${params.rate}`);
    expect(["1", "2"]).toContain(params.seed);
    expect(file).toBe("hello");
    expect(series).toEqual([1, 2, 3].map((step) => [step, 1 / (1 + rate * step)]));
    expect(metrics.loss).toBe(1 / (1 + rate * 3));
    if (rate < 0.3) expect(note).toBe("done");
  }
}

const noMlflow = missingModules(["mlflow", "flask"]);
describe.skipIf(noMlflow.length > 0)(`assay export --to mlflow${whyNot(noMlflow)}`, () => {
  test("gives a real server every run with its parameters, metrics, series and files, once", async () => {
    runStudy();
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const words = [
      "server",
      "--backend-store-uri",
      `sqlite:///${cwd}/m.db`,
      "--artifacts-destination",
      `${cwd}/files`,
    ];
    const server = new Launched([`${pythonBin}/mlflow`, ...words, "--port", String(port), "--workers", "1"], {
      cwd,
      env: { ...env, ...quiet },
    });
    try {
      await waitFor("MLflow's server", () => /startup complete/.test(server.stdout + server.stderr), {
        deadlineMs: 240_000,
      });
      expect(assay("export", "fit", "--to", "mlflow", address)).toContain("6 new");
      expect(assay("export", "--to", "mlflow", address, "fit")).toContain("0 new, 6 there already");
      expectAll(readMlflow(address));
    } finally {
      server.kill("SIGTERM");
      await server.ended;
    }
  });

  test("writes a folder that MLflow's client reads", () => {
    runStudy();
    expect(assay("export", "fit", "--to", "mlflow", "mlruns")).toContain("6 new");
    expect(assay("export", "fit", "--to", "mlflow", "mlruns")).toContain("0 new, 6 there already");
    expectAll(readMlflow(`file://${cwd}/mlruns`));
  });
});

const noWandb = missingModules(["wandb"]);
describe.skipIf(noWandb.length > 0)(`assay export --to wandb${whyNot(noWandb)}`, () => {
  test("leaves offline runs that the real `wandb sync` sends whole", async () => {
    runStudy();
    rmSync(`${cwd}/wandb`, { recursive: true, force: true });
    expect(assay("export", "fit", "--to", "wandb")).toContain("6 new");
    await using server = await WandbServer.start();
    const login = { WANDB_BASE_URL: server.url, WANDB_API_KEY: "0".repeat(40), WANDB_ENTITY: "me" };
    const sync = async () => {
      const call = new Launched([`${pythonBin}/wandb`, "sync", "wandb"], { cwd, env: { ...env, ...login } });
      const { code, stdout, stderr } = await call.ended;
      expect(code, stdout + stderr).toBe(0);
      return stdout + stderr;
    };
    await sync();
    expect(server.runs.size).toBe(6);
    for (const { name, project, config, rows, summary, files, exitCode } of server.runs.values()) {
      const rate = config.rate!.value as number;
      expect(name).toMatch(new RegExp(`^rate${rate}__seed[12]__`));
      expect(project).toBe("fit");
      expect(rows.map(({ step, loss }) => [step, loss])).toEqual(
        [1, 2, 3].map((step) => [step, 1 / (1 + rate * step)]),
      );
      expect(summary).toMatchObject({ loss: 1 / (1 + rate * 3) });
      expect(files["out/notes ä.txt"]).toBe("hello");
      expect(exitCode).toBe(rate === 0.3 ? 3 : 0);
    }
    expect(assay("export", "fit", "--to", "wandb")).toContain("0 new, 6 there already");
    expect(await sync()).toContain("No runs to sync");
  });
});
