import { existsSync, readlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../../src/core/redact.ts";
import type { RunRecord } from "../../../../src/core/run.ts";
import {
  type Manifest,
  RolloutManifest,
} from "../../../../src/targets/coding/launch-files/rollout-manifest.ts";
import { aRollout } from "../../../support/a-coding-run.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const STAMP = "20250824__12-34-56";
const DIR = `data/rollouts/nightly/${STAMP}`;
const rollouts = [1, 2, 3].map((seed) => aRollout({ task: "tasks/a", seed, score: seed / 2 }));

function open(folder: TempFolder, records: RunRecord[] = [], linked = true) {
  return new RolloutManifest({
    studyDir: `${folder.path}/${DIR}`,
    ...{ config: "configs/nightly.toml", name: "nightly", stamp: STAMP, runs: rollouts, records },
    linkDir: linked ? `${folder.path}/data/runs` : undefined,
    callerDir: folder.path,
    redactor: createRedactor({ API_KEY: "sk-very-secret-value" }),
  });
}

const read = (folder: TempFolder) => JSON.parse(folder.read(`${DIR}/manifest.json`)) as Manifest;
const statuses = (folder: TempFolder) => read(folder).results.map(({ status }) => status);

describe("a launch's manifest", () => {
  test("is there before the first rollout starts, with all of them", () => {
    using folder = new TempFolder();
    open(folder);
    expect(read(folder)).toMatchObject({
      config: "configs/nightly.toml",
      name: "nightly",
      created_at: STAMP,
      results: [
        {
          task_dir: "tasks/a",
          run_dir: `data/runs/${STAMP}-0`,
          run_id: `${STAMP}-0`,
          launch_rc: null,
          status: "pending",
          model: "m",
          agent: "codex",
          rollout: 1,
          assay_run: rollouts[0]!.id,
        },
        { run_id: `${STAMP}-1` },
        { run_id: `${STAMP}-2` },
      ],
    });
    const dirs = [0, 1, 2].map((i) => `data/runs/${STAMP}-${i}`);
    expect(folder.read(`${DIR}/runs.txt`)).toBe(dirs.map((dir) => `${dir}\n`).join(""));
    expect(JSON.parse(folder.read(`data/temp/rollout_nightly__${STAMP}.json`))).toEqual({
      created_at: STAMP,
      rollout_dir: DIR,
      runs: dirs,
      tasks: ["tasks/a", "tasks/a", "tasks/a"],
    });
  });

  test("says how each rollout ended and whose fault it was, without secrets", () => {
    using folder = new TempFolder();
    const manifest = open(folder);
    manifest.handle({ kind: "started", run: rollouts[0]!, reason: "new" });
    manifest.handle({ kind: "started", run: rollouts[1]!, reason: "new" });
    manifest.handle({ kind: "ended", record: rollouts[0]! });
    manifest.handle({
      kind: "ended",
      record: {
        ...rollouts[2]!,
        outcome: { status: "failed", owner: "grader", reason: "no sk-very-secret-value" },
        metrics: { model_calls: 3, failed_calls: 1 },
      },
    });
    manifest.close();
    const [first, second, third] = read(folder).results;
    expect(first).toMatchObject({ status: "completed", launch_rc: 0 });
    // It was under way when the launch ended.
    expect(second).toMatchObject({ status: "pending", launch_rc: null });
    expect(third).toMatchObject({ status: "failed", launch_rc: 1, owner: "grader" });
    expect(third).toMatchObject({ agent_exit: "0", model_calls: 3, failed_calls: 1 });
    expect(third!.reason).not.toContain("very-secret");
    expect(JSON.parse(folder.read(`${DIR}/task_results/${STAMP}-0.json`))).toMatchObject({
      ...{ run_id: `${STAMP}-0`, task_dir: "tasks/a", model: "m", rollout: 1, status: "completed" },
      ...{ owner: null, score: 0.5, solved: 0, cost_usd: 0.1, seconds: 2, patch: "plain" },
    });
  });

  test("links each rollout's folder, and gives its files the launch's number for it", () => {
    using folder = new TempFolder();
    const out = `${DIR}/runs/${rollouts[0]!.id}/out`;
    folder.write(
      `${out}/evaluation_results.json`,
      JSON.stringify({ run_id: rollouts[0]!.id, total_score: 0.5 }),
    );
    const manifest = open(folder);
    manifest.handle({ kind: "ended", record: rollouts[0]! });
    manifest.close();
    expect(readlinkSync(`${folder.path}/data/runs/${STAMP}-0`)).toBe(
      `../rollouts/nightly/${STAMP}/runs/${rollouts[0]!.id}/out`,
    );
    expect(JSON.parse(folder.read(`data/runs/${STAMP}-0/evaluation_results.json`))).toEqual({
      run_id: `${STAMP}-0`,
      total_score: 0.5,
    });
  });

  test("is made again from the journal, with what a killed launch did not get to write", () => {
    using folder = new TempFolder();
    open(folder, rollouts.slice(0, 2)).close();
    expect(statuses(folder)).toEqual(["completed", "completed", "pending"]);
    expect(existsSync(`${folder.path}/${DIR}/task_results/${STAMP}-1.json`)).toBe(true);
  });

  test("names the folders themselves where there is no place for links", () => {
    using folder = new TempFolder();
    open(folder, [], false).close();
    expect(read(folder).results[0]!.run_dir).toBe(`${DIR}/runs/${rollouts[0]!.id}/out`);
    for (const name of ["runs", "temp"]) expect(existsSync(`${folder.path}/data/${name}`)).toBe(false);
  });
});
