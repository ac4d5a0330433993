import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { processesIn } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

describe("a study of agents", () => {
  test.each(["thread", "process"])("runs each strategy on each task, as a %s", async (executor) => {
    await using project = await fixture("agent");
    const { code, stderr } = await project.assay("run", "study.yaml", "--executor", executor);
    expect(stderr).not.toMatch(/error/i);
    expect(code).toBe(0);
    const records = project.records("agent");
    expect(records.map(({ task, params }) => `${params.strategy} ${task}`).sort()).toEqual([
      "observation_masking shop-pricing",
      "observation_masking transit-fares",
      "raw shop-pricing",
      "raw transit-fares",
    ]);
    for (const { metrics, files, labels, costUsd } of records) {
      expect(metrics).toMatchObject({ n_instances: 1, solve_rate: expect.any(Number) });
      expect(labels).toMatchObject({ exit_status: expect.any(String), exit_owner: expect.any(String) });
      expect(costUsd).toBe(metrics.total_cost);
      expect(files).toContainEqual(expect.stringMatching(/^trajectories\/.*\.traj$/));
      // The agent's copy of the repository is gone.
      expect(files!.filter((file) => file.startsWith("workspace-"))).toEqual([]);
    }
  });

  test("gives the same numbers in memory as in a folder, under the same seed", async () => {
    await using project = await fixture("agent");
    await project.assay("run", "study.yaml");
    await project.assay("run", "study.yaml", "-p", "sandbox=memory", "--exp-name", "memory");
    const told = (study: string) =>
      project
        .records(study)
        .map(({ task, params, metrics }) => [task, params.strategy, metrics.solve_rate, metrics.total_turns])
        .sort();
    expect(told("memory")).toEqual(told("agent"));
  });

  test("that is killed goes on with the next instance, and the lost attempt's cost still counts", async () => {
    await using project = await fixture("agent", { hold: "" });
    const runner = project.start("run", "held.yaml");
    const runs = "bench_runs/held/runs";
    const spent = () =>
      project
        .list(runs)
        .find((id) => id.includes("second") && project.exists(`${runs}/${id}/out/spent.json`));
    await waitFor("the second instance to have cost something", () => runner.isOver || spent() !== undefined);
    const lost = JSON.parse(project.read(`${runs}/${spent()}/out/spent.json`)).costUsd;
    runner.kill("SIGKILL");
    await runner.ended;
    expect(project.records("held").map(({ task }) => task)).toEqual(["first"]);
    rmSync(project.path("hold"));
    const { code } = await project.assay("run", "held.yaml");
    expect(code).toBe(0);
    const [first, second, ...more] = project.records("held");
    expect(more).toEqual([]);
    expect(second).toMatchObject({ task: "second", earlier: [{ reason: "it was killed" }] });
    const before = second!.earlier![0]!.costUsd!;
    expect(before).toBeGreaterThanOrEqual(lost);
    expect(before).toBeGreaterThan(0);
    const status = JSON.parse((await project.assay("status", "bench_runs/held", "--json")).stdout);
    expect(status.costUsd).toBeCloseTo(first!.costUsd! + second!.costUsd! + before, 12);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test.each([
    [
      ["-p", "strategy=llm_summary", "-p", "sum_n=10", "-p", "sum_keep_m=15"],
      "parameter sum_keep_m of target agent: expected less than sum_n, which is 10, got 15",
    ],
    [["-p", "strategy=mask"], "parameter strategy of target agent: expected raw, observation_masking"],
    [["-p", "model=gpt5"], "parameter model of target agent: expected a model"],
    [
      ["-p", "model=deepseek-chat", "-p", "sandbox=memory"],
      "parameter sandbox of target agent: expected directory",
    ],
  ])("with a mistake in %j says so before anything runs", async (words, message) => {
    await using project = await fixture("agent");
    const { code, stderr } = await project.assay("run", "study.yaml", ...words);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(project.records("agent")).toEqual([]);
  });
});
