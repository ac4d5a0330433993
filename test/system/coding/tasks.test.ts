import "../../support/in-memory.ts";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskSetDir } from "../../../src/targets/agent/tasks/load-task.ts";
import { fixture, type Project } from "../../support/fixture.ts";
import { startModelServer } from "../../support/model-server.ts";
import { processesIn } from "../../support/processes.ts";
import { waitFor } from "../../support/wait-for.ts";

async function rolloutProject(files: Record<string, string> = {}): Promise<Project> {
  const project = await fixture("coding", files);
  mkdirSync(project.path("tmp"));
  project.env = { TMPDIR: project.path("tmp") };
  return project;
}

const AGENT = "    - { name: good, command: [agents/good.sh] }";

describe("rollouts", () => {
  test("on a git repository start at the task's commit, whatever came after", async () => {
    await using project = await rolloutProject();
    cpSync(project.path("tasks/lamp"), project.path("tasks/git"), { recursive: true });
    const origin = project.path("tasks/git/repo");
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
        cwd: origin,
        encoding: "utf8",
      });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    const commit = git("rev-parse", "HEAD").trim();
    project.write("tasks/git/repo/lamp.txt", "solved: on bright\n");
    git("commit", "-q", "-a", "-m", "the answer");
    const meta = JSON.parse(project.read("tasks/git/tb_meta.json"));
    meta.repo = { git_url: "./repo", start_commit_sha: commit };
    project.write("tasks/git/tb_meta.json", JSON.stringify(meta));
    project.edit("study.yaml", "tasks: [tasks/lamp]", "tasks: [tasks/git]");
    project.edit(
      "study.yaml",
      AGENT,
      "    - nop\n    - { name: good, command: [agents/good.sh] }\n    - { name: looks, command: [sh, -c, 'git log --all -p > lamp.txt'] }",
    );
    const { code } = await project.run("study.yaml");
    expect(code).toBe(0);
    const scores = Object.fromEntries(
      project.records("rollouts").map(({ labels, metrics }) => [labels!.agent, metrics.score]),
    );
    expect(scores).toMatchObject({ nop: 0, good: 1, looks: expect.any(Number) });
    const looks = project.records("rollouts").find(({ labels }) => labels!.agent === "looks")!;
    expect(project.read(`bench_runs/rollouts/runs/${looks.id}/out/artifacts/diff.patch`)).not.toContain(
      "solved",
    );
  });

  test("by the task's own solution are solved, and by nobody are not", async () => {
    await using project = await rolloutProject({
      "tasks/lamp/solution.patch": "--- a/lamp.txt\n+++ b/lamp.txt\n@@ -1 +1 @@\n-off\n+on bright\n",
    });
    project.edit("study.yaml", AGENT, "    - oracle\n    - nop");
    const { code } = await project.run("study.yaml", "-p", "sandbox=auto");
    expect(code).toBe(0);
    const told = project
      .records("rollouts")
      .map(({ labels, metrics }) => [labels!.agent, metrics.score, metrics.cost_usd]);
    expect(told.sort()).toEqual([
      ["nop", 0, 0],
      ["oracle", 1, 0],
    ]);
  });

  test.each(["directory", "auto"])(
    "of Assay's own agent in %s have its cost, trajectory and steps",
    async (sandbox) => {
      await using project = await rolloutProject();
      const shipped = taskSetDir("shipped", ".");
      cpSync(join(shipped, "shop-pricing"), project.path("tasks/shop"), { recursive: true });
      project.edit("study.yaml", "tasks: [tasks/lamp]", "tasks: [tasks/shop]\nseeds: 3");
      project.edit("study.yaml", AGENT, "    - assay");
      const options = [
        "-p",
        "model=scripted",
        "-p",
        `sandbox=${sandbox}`,
        "-p",
        'agent_options={"call_limit": 60}',
      ];
      const { code } = await project.run("study.yaml", ...options);
      expect(code).toBe(0);
      const records = project.records("rollouts");
      expect(Math.max(...records.map(({ metrics }) => metrics.score!))).toBe(1);
      for (const { id, labels, metrics, costUsd, files } of records) {
        expect(labels).toMatchObject({ agent: "assay", exit_status: expect.any(String) });
        expect(metrics.tokens_total).toBeGreaterThan(0);
        expect(metrics.tool_calls).toBeGreaterThan(0);
        expect(costUsd).toBe(metrics.cost_usd);
        expect(files).toContainEqual(expect.stringMatching(/^trajectories\/.*\.traj$/));
        const run = `bench_runs/rollouts/runs/${id}`;
        expect(project.lines(`${run}/series.jsonl`).length).toBeGreaterThan(0);
        const told = await project.assay("traj", `${run}/out/trajectories`, "--json");
        expect(told.code).toBe(0);
      }
    },
  );

  test("whose budget ends within them are missing, and the budget's", async () => {
    await using project = await rolloutProject();
    project.edit("study.yaml", AGENT, "    - assay");
    project.edit("study.yaml", "executor: { jobs: 2 }", "limits: { costUsd: 0.000001 }");
    const { code } = await project.run("study.yaml", "-p", "model=scripted");
    expect(code).toBe(1);
    const record = project.onlyRecord("rollouts");
    expect(record.outcome).toMatchObject({ status: "failed", owner: "budget" });
    expect(record.metrics.score).toBeUndefined();
  });

  test("are judged by a language model beside their tests, at a cost of its own", async () => {
    const scores = [
      { id: "on", score: 1, reason: "it is" },
      { id: "bright", score: 0.5, reason: "somewhat" },
    ];
    const content = JSON.stringify({ rubrics: scores, summary: "Nearly." });
    const server = await startModelServer({
      ...{ id: "x", object: "chat.completion", created: 0, model: "gpt-4o-mini" },
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
    });
    await using project = await rolloutProject();
    project.env = { ...project.env, OPENAI_API_KEY: "sk-0123456789", OPENAI_BASE_URL: server.url };
    project.edit("study.yaml", AGENT, "    - nop");
    const { code } = await project.run("study.yaml", "-p", "judge=gpt-4o-mini", "-p", "judge_repeats=2");
    await server.close();
    expect(code).toBe(0);
    const record = project.onlyRecord("rollouts");
    expect(record.metrics).toMatchObject({
      score: 0,
      "judge/score": 0.875,
      "judge/sd": 0,
      "judge/repeats": 2,
    });
    expect(record.metrics["judge/cost_usd"]).toBeGreaterThan(0);
    expect(record.costUsd).toBe(record.metrics["judge/cost_usd"]);
    const path = `bench_runs/rollouts/runs/${record.id}/out/evaluation_results.json`;
    expect(JSON.parse(project.read(path)).lm_evaluation).toMatchObject({
      weighted_score: 0.875,
      summary: "Nearly.",
    });
  });

  test("that are killed keep their cost, leave nothing, and go on", async () => {
    await using project = await rolloutProject({
      hold: "",
      "tasks/slow/repo/x": "",
      "agents/pays.sh": `#!/bin/sh\necho '{"money_spent_usd": 0.5}' > "$1/agent_metrics.json"\n`,
    });
    const held = 'while [ -e \\"$HOLD\\" ]; do sleep 0.05; done';
    project.write(
      "tasks/slow/tb_meta.json",
      `{"lm": {"instructions": "x"}, "evaluation": {"test_scripts": [{"path": "t.sh", "content": "${held}"}]}}`,
    );
    project.write(
      "tasks/slow/overrides.json",
      JSON.stringify({ environment_variables: { HOLD: project.path("hold") } }),
    );
    project.edit("study.yaml", "tasks: [tasks/lamp]", "tasks: [tasks/slow]");
    project.edit("study.yaml", AGENT, '    - { name: pays, command: [sh, agents/pays.sh, "${out_dir}"] }');
    const runner = project.start("run", "study.yaml", "--no-report");
    const runs = "bench_runs/rollouts/runs";
    const spent = () => project.list(runs).some((id) => project.exists(`${runs}/${id}/out/spent.json`));
    await waitFor("the agent to have been paid", () => runner.isOver || spent());
    await waitFor("the test to run", () => runner.isOver || processesIn(project.dir).length > 0);
    runner.kill("SIGKILL");
    await runner.ended;
    execFileSync("rm", [project.path("hold")]);
    const { code } = await project.run("study.yaml");
    expect(code).toBe(0);
    const record = project.onlyRecord("rollouts");
    expect(record).toMatchObject({ outcome: { status: "ok" }, metrics: { score: 1, cost_usd: 0.5 } });
    expect(record.earlier).toMatchObject([{ reason: "it was killed", costUsd: 0.5 }]);
    expect(processesIn(project.dir)).toEqual([]);
    const left = readdirSync(project.path("tmp"), { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => /(^|\/)run-[^/]*$/.test(path))).toEqual([]);
  });

  test("past the study's own time limit are late, and leave nothing behind", async () => {
    await using project = await rolloutProject();
    project.edit("study.yaml", AGENT, "    - { name: hangs, command: [agents/hangs.sh] }");
    project.edit("study.yaml", "executor: { jobs: 2 }", "limits: { timeout: 5s }");
    const { code } = await project.run("study.yaml");
    expect(code).toBe(1);
    const record = project.onlyRecord("rollouts");
    expect(record.outcome).toMatchObject({ status: "timeout" });
    expect(record.metrics.score).toBeUndefined();
    expect(processesIn(project.dir)).toEqual([]);
    const left = readdirSync(project.path("tmp"), { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => /(^|\/)run-[^/]*$/.test(path))).toEqual([]);
  });

  test("never write down a key", async () => {
    await using project = await rolloutProject({
      "agents/leaks.sh":
        '#!/bin/sh\necho "$OPENAI_API_KEY" > leak.txt; echo "key $OPENAI_API_KEY"; env >&2\n',
    });
    execFileSync("chmod", ["+x", project.path("agents/leaks.sh")]);
    project.env = {
      ...project.env,
      OPENAI_API_KEY: "sk-very-secret-0123456789",
      OTHER_TOKEN: "not-for-agents-0123456789",
    };
    const env = { OPENAI_API_KEY: "${envvar:OPENAI_API_KEY}" };
    project.edit(
      "study.yaml",
      AGENT,
      `    - ${JSON.stringify({ name: "leaks", command: ["agents/leaks.sh"], env })}`,
    );
    const { code } = await project.run("study.yaml");
    expect(code).toBe(0);
    const grep = (text: string) => {
      try {
        return execFileSync("grep", ["-rl", text, project.path("bench_runs")], { encoding: "utf8" });
      } catch {
        return "";
      }
    };
    expect(grep("sk-very-secret-0123456789")).toBe("");
    expect(grep("not-for-agents")).toBe("");
    expect(grep("secret OPENAI_API_KEY")).not.toBe("");
    expect(existsSync(project.path("tasks/lamp/repo/leak.txt"))).toBe(false);
  });
});
