import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { example } from "../support/example.ts";
import { fixture } from "../support/fixture.ts";
import { processesIn } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

describe("a study of agents", () => {
  test.each(["thread", "process"])("runs each strategy on each task, as a %s", async (executor) => {
    await using project = await fixture("agent");
    const { code, stderr } = await project.run("study.yaml", "--executor", executor);
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

  test("keeps spans of model and tool calls, and none with --no-trace, without making its runs others", async () => {
    await using project = await fixture("agent");
    await project.run("study.yaml", "-p", "sandbox=memory", "--no-trace");
    const traces = () =>
      project.records("agent").flatMap(({ files = [] }) => files.filter((file) => file === "trace.jsonl"));
    expect(traces()).toEqual([]);
    const again = await project.run("study.yaml", "-p", "sandbox=memory", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: 0, skipped: 4 });
    await project.run("study.yaml", "-p", "sandbox=memory", "--fresh");
    expect(traces()).toHaveLength(4);
  });

  test("costs what its price file says", async () => {
    await using project = await fixture("agent", { "prices.yaml": "scripted: {input: 0, output: 0}\n" });
    const { code, stderr } = await project.assay(
      ...["run", "study.yaml", "-p", "sandbox=memory", "-p", "prices=prices.yaml"],
    );
    expect(stderr).not.toMatch(/error|not a function/i);
    expect(code).toBe(0);
    expect(project.records("agent").map(({ metrics }) => metrics.total_cost)).toEqual([0, 0, 0, 0]);
  });

  test("that lacks a key stops before its first run, and says which", async () => {
    await using project = await fixture("agent");
    project.env = { DEEPSEEK_API_KEY: "" };
    const { code, stderr } = await project.run("study.yaml", "-p", "model=deepseek-chat");
    expect(code).toBe(2);
    expect(stderr).toContain("DEEPSEEK_API_KEY");
    expect(project.records("agent")).toEqual([]);
  });

  test("whose budget ends within a run of many instances has no solve rate over the first of them", async () => {
    await using project = await fixture("agent");
    project.edit("study.yaml", "tasks: [shop-pricing, transit-fares]", "limits: { costUsd: 0.05 }");
    project.edit("study.yaml", "jobs: 2", "jobs: 1");
    const { code } = await project.run("study.yaml", "-p", "sandbox=memory");
    expect(code).toBe(1);
    const stopped = project.records("agent").filter(({ outcome }) => outcome.owner === "budget");
    expect(stopped.length).toBeGreaterThan(0);
    for (const { outcome, metrics } of stopped) {
      expect(outcome.status).toBe("failed");
      expect(metrics.solve_rate ?? null).toBeNull();
    }
    const spent = project.records("agent").reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
    expect(spent).toBeLessThanOrEqual(0.05);
  });

  test("gives the same numbers in memory as in a folder, under the same seed", async () => {
    await using project = await fixture("agent");
    await project.run("study.yaml");
    await project.run("study.yaml", "-p", "sandbox=memory", "--exp-name", "memory");
    const told = (study: string) =>
      project
        .records(study)
        .map(({ task, params, metrics }) => [task, params.strategy, metrics.solve_rate, metrics.total_turns])
        .sort();
    expect(told("memory")).toEqual(told("agent"));
  });

  test("that is killed goes on with the next instance, and the lost attempt's cost still counts", async () => {
    await using project = await fixture("agent", { hold: "" });
    mkdirSync(project.path("tmp"));
    project.env = { TMPDIR: project.path("tmp") };
    const temporary = () => readdirSync(project.path("tmp"), { recursive: true, encoding: "utf8" });
    const runner = project.start("run", "held.yaml", "--max-cost", "10", "--no-report");
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
    expect(temporary().some((path) => path.startsWith("assay-gate"))).toBe(true);
    rmSync(project.path("hold"));
    const { code } = await project.run("held.yaml", "--max-cost", "10");
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
    // What the killed one left among temporary files is gone, too.
    expect(temporary().filter((path) => path.includes("/") || path.startsWith("assay-gate"))).toEqual([]);
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
    const { code, stderr } = await project.run("study.yaml", ...words);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(project.records("agent")).toEqual([]);
  });
});

describe("a sweep file of another tool", () => {
  const sweep = `target: agent
program: scripts/run_sweep.py
method: grid
metric: {name: submission_rate, goal: maximize}
parameters:
  model: {values: [scripted, "openai:a", "openai:b", "openai:c", "openai:d", "openai:e"]}
  strategy: {values: [raw, observation_masking, llm_summary, hybrid]}
  summarizer-model: {values: [scripted, "openai:a", "openai:b", "openai:c", "openai:d", "openai:e"]}
  instances-subset: {value: small}
  instances-slice: {value: ":3"}
  instances-shuffle: {value: true}
  call-limit: {value: 100}
  num-workers: {value: 1}
`;

  test("runs the agent by its own flags, and a summariser makes no runs where nothing is summarised", async () => {
    await using project = await fixture("agent", { "quick.yaml": sweep });
    const { stdout, code } = await project.assay("plan", "quick.yaml");
    expect(code).toBe(0);
    // 6 models with raw, 6 with masking, 6 x 6 with each of the two that summarise; not 6 x 4 x 6.
    expect(stdout).toContain("grid search, 84 runs");
    expect(stdout).toContain("save 60 points");
  });

  test("does several instances in one run, and sums them up", async () => {
    await using project = await fixture("agent", { "quick.yaml": sweep });
    const words = ["-p", "model=scripted", "-p", "summarizer-model=same"];
    const { code, stderr } = await project.run("quick.yaml", ...words);
    expect(code, stderr).toBe(0);
    const records = project.records("quick");
    expect(records).toHaveLength(4);
    for (const { metrics, id } of records) {
      expect(metrics).toMatchObject({ n_instances: 3, total_turns: expect.any(Number) });
      const lines = project.lines(`bench_runs/quick/runs/${id}/series.jsonl`).map((line) => JSON.parse(line));
      // What the run has come to after each instance: what early_terminate acts on.
      const soFar = lines.filter((line) => "n_instances" in line);
      expect(soFar.map((line) => line.n_instances)).toEqual([1, 2, 3]);
      for (const name of ["submission_rate", "solve_rate", "total_cost", "avg_turns", "exit/submitted"])
        expect(soFar.at(-1)[name]).toBe(metrics[name]);
      const steps = lines.filter((line) => !("n_instances" in line));
      expect(steps).toHaveLength(metrics.total_turns!);
      expect(steps.filter((step) => step["instance/step"] === 1)).toHaveLength(3);
      expect(steps.at(-1)["cumulative/cost"]).toBeCloseTo(metrics.total_agent_cost!, 12);
      expect(project.list(`bench_runs/quick/runs/${id}/out/trajectories`)).toHaveLength(3);
    }
  });
});

describe("the example of context strategies", () => {
  // Ninety-two runs: a machine with much else to do takes minutes for them.
  const patience = { timeout: 600_000 };

  test(
    "compares four strategies task by task, and prints them beside what was published",
    patience,
    async () => {
      await using project = await example("agent-strategies");
      project.edit("study.yaml", "subset: all", "subset: medium");
      const ran = await project.run("study.yaml", "--seeds", "1");
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("24 ok of 24 runs") });
      const costs = (strategy: string) =>
        project
          .records("agent-strategies")
          .filter(({ params }) => params.strategy === strategy)
          .reduce((sum, { metrics }) => sum + metrics.max_prompt_tokens!, 0);
      expect(costs("observation_masking")).toBeLessThan(costs("raw"));
      expect(costs("llm_summary")).toBeLessThan(costs("raw"));
      const compared = await project.assay(
        "compare",
        "agent-strategies",
        "--by",
        "strategy",
        "--metric",
        "solve_rate",
      );
      expect(compared.stdout).toContain("6 tasks in both arms, paired by task");
      const script = fileURLToPath(new URL("../../examples/agent-strategies/table.mjs", import.meta.url));
      const table = execFileSync(process.execPath, [script, project.path("bench_runs/agent-strategies")], {
        encoding: "utf8",
      });
      expect(table).toMatch(/\| raw \| .* \| 53.4 % \| \$1.286 \|/);
    },
  );

  test("takes a strategy of one's own", async () => {
    await using project = await example("agent-strategies");
    const ran = await project.run("own.yaml", "--seeds", "1");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("12 ok of 12 runs") });
    const own = project
      .records("agent-own-strategy")
      .filter(({ params }) => params.strategy === "./last-turns.ts");
    expect(own).toHaveLength(6);
    for (const { program } of own) expect(program).toMatch(/^agent@3\+[0-9a-f]{16}$/);
  });
});
