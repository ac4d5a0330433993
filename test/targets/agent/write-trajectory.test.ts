import { expect, test } from "vitest";
import { readTrajectory } from "../../../src/archive/trajectories/index.ts";
import { memory } from "../../../src/sandboxes/memory/index.ts";
import { agentSchema } from "../../../src/targets/agent/params.ts";
import { runInstance } from "../../../src/targets/agent/run-instance.ts";
import { strategies } from "../../../src/targets/agent/strategies/index.ts";
import { loadTask, taskSetDir } from "../../../src/targets/agent/tasks/load-task.ts";
import { trajectoryOf } from "../../../src/targets/agent/write-trajectory.ts";
import { aModel, bash, submit } from "./a-model.ts";

test("a trajectory says the same when it is read again", async () => {
  const task = loadTask(taskSetDir("shipped", "."), "shop-pricing");
  const params = agentSchema.parse({ strategy: "hybrid", sum_n: 3, sum_keep_m: 1, obs_n: 1 });
  const strategy = strategies.hybrid!;
  const model = aModel((turn, { purpose }) =>
    purpose === "summary" ? { text: "so far" } : turn === 6 ? submit : bash(`echo ${turn}`),
  );
  const result = await runInstance(task, {
    params,
    model,
    summariser: model,
    strategy,
    strategyOptions: strategy.options(params) as never,
    workspace: await memory.open(task.files, { parentDir: null }),
    seed: 1,
    signal: new AbortController().signal,
  });
  const written = JSON.parse(
    JSON.stringify(trajectoryOf({ ...result, isSolved: false, report: "" }, params)),
  );
  const read = readTrajectory(written, { name: "shop-pricing.traj" });
  expect(read).toMatchObject({
    format: "assay",
    instance: "shop-pricing",
    exitStatus: "submitted",
    submission: "",
  });
  expect(read.turns.map(({ action, observation }) => [action, observation]).slice(0, 2)).toEqual([
    ['bash {"command":"echo 1"}', "1"],
    ['bash {"command":"echo 2"}', "2"],
  ]);
  expect(read.turns).toHaveLength(6);
  expect(read.parts!.agent).toMatchObject({ calls: 6, output: 6 });
  expect(read.parts!.agent!.costUsd).toBeCloseTo(0.06, 12);
  expect(read.parts!.summary).toMatchObject({ calls: 1 });
  expect(read.totals.costUsd).toBeCloseTo(0.07, 12);
  expect(read.turns.map(({ context }) => context?.masked)).toEqual(result.steps.map(({ masked }) => masked));
  expect(read.turns[4]!.context!.checkpoint).toBe("Checkpoint for the last 3 turns:\nso far");
});
