import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Setting } from "../../src/core/executor.ts";
import { createRedactor } from "../../src/core/redact.ts";
import { failed, OK, type Outcome } from "../../src/core/run.ts";
import { RunFolder } from "../../src/executors/run-folder.ts";
import { aRun, aStudy } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { trajectoryFiles } from "../support/trajectory-files.ts";

const { target, limits } = aStudy();
const run = aRun({ params: { n: 1, key: "canary-0123" }, flags: ["--off"], variant: "odd", seed: 3 });

function folderIn(temp: TempFolder, part: Partial<Setting> = {}, attempt = 1): RunFolder {
  const setting: Setting = {
    target,
    studyDir: temp.path,
    artifacts: "all",
    limits,
    iterations: { warmup: 0, measured: 1 },
    plugins: [],
    instruments: [],
    env: {},
    jobs: 1,
    baseDir: temp.path,
    ...part,
  };
  return new RunFolder({ run, attempt }, setting, createRedactor({ API_KEY: "canary-0123" }));
}
const attempt = (outcome: Outcome = OK) => ({
  outcome,
  metrics: { m: 1 },
  startedAtMs: 10_000,
  wallMs: 2500,
  files: ["a"],
});

describe("the folder of a run", () => {
  test("has the metrics of agents where the program left trajectories, and what it states itself goes before", () => {
    using temp = new TempFolder();
    const folder = folderIn(temp);
    folder.open();
    const trajectories = `${folder.outDir}/batch/task`;
    mkdirSync(trajectories, { recursive: true });
    writeFileSync(`${trajectories}/a__b-1.traj`, JSON.stringify(trajectoryFiles.assay));
    writeFileSync(`${trajectories}/a__b-2.traj`, "{");
    writeFileSync(`${folder.outDir}/metrics.json`, JSON.stringify({ total_cost: 42 }));
    const { metrics, labels, warnings } = folder.results();
    expect(metrics).toMatchObject({
      n_instances: 1,
      submission_rate: 1,
      total_cost: 42,
      n_submitted: 1,
    });
    expect(metrics.total_turns).toBeGreaterThan(0);
    expect(labels.exit_status).toMatch(/^submitted/);
    expect(warnings).toEqual([
      expect.stringMatching(/^a trajectory could not be read: a__b-2\.traj: no valid JSON/),
    ]);
  });

  test("has a meta.json in the original tool's form, without secrets", () => {
    using temp = new TempFolder();
    const folder = folderIn(temp);
    folder.open();
    writeFileSync(`${folder.dir}/stdout.txt`, "my key is canary-0123");
    writeFileSync(folder.seriesPath, '{"key":"canary-0123"}\n');
    folder.end(attempt(), ["sim", "--key", "canary-0123"], "/work");
    expect(readdirSync(folder.dir).sort()).toEqual([
      "meta.json",
      "out",
      "series.jsonl",
      "stderr.txt",
      "stdout.txt",
    ]);
    expect(JSON.parse(temp.read(`runs/${run.id}/meta.json`))).toMatchObject({
      run_id: run.id,
      params: { n: 1, key: "[secret API_KEY]", seed: 3 },
      ablation_name: "odd",
      ablation_flags: ["--off"],
      cmd: ["sim", "--key", "[secret API_KEY]"],
      cwd: "/work",
      start_time_unix_s: 10,
      end_time_unix_s: 12.5,
      wall_time_s: 2.5,
      exit_code: 0,
      status: "ok",
      attempt: 1,
      metrics: { m: 1 },
    });
    expect(temp.read(`runs/${run.id}/stdout.txt`)).toBe("my key is [secret API_KEY]");
    expect(temp.read(`runs/${run.id}/series.jsonl`)).toBe('{"key":"[secret API_KEY]"}\n');
  });

  test("says that it is running before it has ended, and why it failed after", () => {
    using temp = new TempFolder();
    const folder = folderIn(temp);
    folder.open();
    folder.begin(["sim"], "/work", 10_000);
    expect(JSON.parse(temp.read(`runs/${run.id}/meta.json`))).toMatchObject({
      status: "running",
      start_time_unix_s: 10,
    });
    folder.end(attempt(failed("agent", "exit 3", 3)), ["sim"], "/work");
    expect(JSON.parse(temp.read(`runs/${run.id}/meta.json`))).toMatchObject({
      status: "failed",
      owner: "agent",
      reason: "exit 3",
      exit_code: 3,
    });
  });

  test("keeps what earlier attempts left, sealed, under earlier/", () => {
    using temp = new TempFolder();
    for (let number = 1; number <= 3; number++) {
      const folder = folderIn(temp, {}, number);
      folder.open();
      expect(readdirSync(folder.outDir)).toEqual([]);
      writeFileSync(`${folder.dir}/stdout.txt`, `attempt ${number} canary-0123`);
      writeFileSync(`${folder.outDir}/a`, String(number));
    }
    const at = `runs/${run.id}`;
    expect(readdirSync(`${temp.path}/${at}/earlier`).sort()).toEqual(["1", "2"]);
    expect(temp.read(`${at}/earlier/1/stdout.txt`)).toBe("attempt 1 [secret API_KEY]");
    expect(temp.read(`${at}/earlier/2/out/a`)).toBe("2");
    expect(temp.read(`${at}/out/a`)).toBe("3");
    expect(readdirSync(`${temp.path}/runs`)).toEqual([run.id]);
  });

  test("is as it was when an attempt that has begun is taken back", () => {
    using temp = new TempFolder();
    const filled = (number: number) => {
      const folder = folderIn(temp, {}, number);
      folder.open();
      writeFileSync(`${folder.outDir}/a`, String(number));
      return folder;
    };
    filled(1).restore();
    expect(readdirSync(`${temp.path}/runs`)).toEqual([]);
    filled(1).end(attempt(), [], "/");
    const at = `runs/${run.id}`;
    for (const began of [false, true]) {
      const again = filled(2);
      if (began) again.begin(["sim"], "/work", 10_000);
      again.restore();
      expect(temp.read(`${at}/out/a`)).toBe("1");
      expect(existsSync(`${temp.path}/${at}/earlier`)).toBe(false);
    }
    filled(2).end(attempt(), [], "/");
    filled(3).restore();
    expect([temp.read(`${at}/out/a`), temp.read(`${at}/earlier/1/out/a`)]).toEqual(["2", "1"]);
    folderIn(temp).restore();
    expect(temp.read(`${at}/out/a`), "an attempt that has ended is not taken back").toBe("2");
    expect(readdirSync(`${temp.path}/runs`)).toEqual([run.id]);
  });

  test("loses nothing that a crash left between two places", () => {
    using temp = new TempFolder();
    temp.write(`runs/.${run.id}.old/out/a`, "1");
    folderIn(temp).open();
    expect(temp.read(`runs/${run.id}/earlier/1/out/a`)).toBe("1");
    temp.write(`runs/.${run.id}.old/out/a`, "2");
    temp.write(`runs/${run.id}/out/a`, "3");
    folderIn(temp).open();
    const kept = ["1", "2", "3"].map((n) => temp.read(`runs/${run.id}/earlier/${n}/out/a`));
    expect(kept.sort()).toEqual(["1", "2", "3"]);
    expect(readdirSync(`${temp.path}/runs`)).toEqual([run.id]);
  });

  test("keeps the output of an attempt that has ended as it was sealed", () => {
    using temp = new TempFolder();
    const part = { limits: { ...limits, stdoutBytes: 40 } };
    const folder = folderIn(temp, part);
    folder.open();
    writeFileSync(`${folder.dir}/stdout.txt`, "x".repeat(100));
    folder.end(attempt(), [], "/");
    const sealed = temp.read(`runs/${run.id}/stdout.txt`);
    folderIn(temp, part, 2).open();
    expect(temp.read(`runs/${run.id}/earlier/1/stdout.txt`)).toBe(sealed);
  });

  test("that is empty leaves nothing behind when it is opened again", () => {
    using temp = new TempFolder();
    mkdirSync(`${temp.path}/runs/${run.id}`, { recursive: true });
    const folder = folderIn(temp);
    folder.open();
    expect(readdirSync(folder.dir)).toEqual(["out"]);
  });

  test.each([
    ["none", OK, false],
    ["none", failed("agent", "x"), false],
    ["failed", OK, false],
    ["failed", failed("agent", "x"), true],
    ["all", OK, true],
  ] as const)("with artifacts: %s stays as the study wants it (%j)", (artifacts, outcome, stays) => {
    using temp = new TempFolder();
    const folder = folderIn(temp, { artifacts });
    folder.open();
    const ended = attempt(outcome);
    folder.end(ended, [], "/");
    expect(existsSync(folder.dir)).toBe(stays);
    expect("files" in ended).toBe(stays);
  });
});

describe("tries that were killed", () => {
  test("are told by the next one that ends, each once, and count as attempts", () => {
    using temp = new TempFolder();
    for (const tries of [0, 1]) {
      const folder = folderIn(temp);
      folder.open();
      expect(folder.attempt).toBe(tries + 1);
      // It is killed here.
      writeFileSync(folder.stdout, "");
    }
    const third = folderIn(temp);
    third.open();
    const ended = attempt(failed("agent", "exit 1"));
    third.end(ended, ["sim"], "/work");
    const reason = "it was killed";
    expect(ended).toMatchObject({ lost: [{ reason }, { reason }] });
    expect(JSON.parse(temp.read(`runs/${run.id}/meta.json`))).toMatchObject({ attempt: 3 });

    const fourth = folderIn(temp, {}, 4);
    fourth.open();
    expect(fourth.attempt).toBe(4);
    const again = attempt();
    fourth.end(again, ["sim"], "/work");
    expect(again).not.toHaveProperty("lost");
  });
});

describe("a try after one that was cut off", () => {
  const STEPS = '{"step":1,"loss":4}\n{"step":2,"loss":3}\n{"loss":9}\n{"step":3,"lo';

  function series(status: string | undefined, hasState = false): string | undefined {
    using temp = new TempFolder();
    const first = folderIn(temp);
    first.open();
    writeFileSync(`${first.dir}/stdout.txt`, "");
    writeFileSync(first.seriesPath, STEPS);
    if (hasState) writeFileSync(`${first.state.open()}/checkpoint`, "2");
    if (status !== undefined) first.end(attempt({ ...OK, status: status as "ok" }), ["sim"], "/work");
    const second = folderIn(temp, {}, 2);
    second.open();
    return existsSync(second.seriesPath) ? temp.read(`runs/${run.id}/series.jsonl`) : undefined;
  }

  test("has the steps that came before, so that rules of stopping compare like with like", () => {
    for (const status of [undefined, "cancelled", "timeout"])
      expect(series(status), status).toBe('{"step":1,"loss":4}\n{"step":2,"loss":3}\n');
  });

  test("has values without a step, too, where there is a state to resume from", () => {
    expect(series(undefined, true)).toBe('{"step":1,"loss":4}\n{"step":2,"loss":3}\n{"loss":9}\n');
  });

  test("has those of one that failed by itself only where it left a state", () => {
    expect(series("failed")).toBe(undefined);
    expect(series("failed", true)).toContain('{"step":2,"loss":3}');
  });

  test("has none of one that had a result: it is measured anew, without the state of then", () => {
    for (const status of ["ok", "stopped"]) expect(series(status, true), status).toBe(undefined);
  });
});

describe("the state of a run", () => {
  test("stays until the run has a result", () => {
    using temp = new TempFolder();
    for (const [status, isKept] of [
      ["failed", true],
      ["cancelled", true],
      ["timeout", true],
      ["ok", false],
    ] as const) {
      const folder = folderIn(temp);
      folder.open();
      writeFileSync(`${folder.state.open()}/checkpoint`, "2");
      folder.end(attempt({ status }), ["sim"], "/work");
      expect(folder.state.isKept, status).toBe(isKept);
    }
    expect(existsSync(`${temp.path}/state`)).toBe(false);
  });

  test("leaves no folder where a run keeps none", () => {
    using temp = new TempFolder();
    const folder = folderIn(temp);
    folder.open();
    folder.state.open();
    folder.end(attempt({ status: "failed" }), ["sim"], "/work");
    expect(existsSync(`${temp.path}/state`)).toBe(false);
  });
});
