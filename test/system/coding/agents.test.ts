import "../../support/in-memory.ts";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../../src/core/run.ts";
import { bubblewrap } from "../../../src/sandboxes/bubblewrap/index.ts";
import { hashTree } from "../../../src/targets/coding/tasks/hash-tree.ts";
import { fixture, type Project } from "../../support/fixture.ts";
import { processesIn } from "../../support/processes.ts";

const noBubblewrap = await bubblewrap.problem!();
const sandboxes = noBubblewrap === undefined ? ["directory", "bubblewrap"] : ["directory"];

/** A copy of the fixture with a folder for temporary files of its own, so that what is left there can be seen. */
async function rolloutProject(files: Record<string, string> = {}): Promise<Project> {
  const project = await fixture("coding", files);
  mkdirSync(project.path("tmp"));
  project.env = { TMPDIR: project.path("tmp") };
  return project;
}

function withAgents(project: Project, agents: Record<string, string[]>): void {
  const lines = Object.entries(agents).map(
    ([name, words]) => `    - ${JSON.stringify({ name, command: words })}`,
  );
  project.edit("study.yaml", "    - { name: good, command: [agents/good.sh] }", lines.join("\n"));
}

const scripts = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, [`agents/${name}.sh`, "${out_dir}"]]));

function byAgent(project: Project): Record<string, RunRecord> {
  return Object.fromEntries(project.records("rollouts").map((record) => [record.labels!.agent!, record]));
}

const outOf = (project: Project, { id }: RunRecord, file: string) =>
  project.read(`bench_runs/rollouts/runs/${id}/out/${file}`);

/** Copies of repositories that a run left among its temporary files; bases are kept on purpose. */
/** The user's own folder among the temporary ones stays, empty. */
function copiesLeft(project: Project): string[] {
  return readdirSync(project.path("tmp"), { recursive: true, encoding: "utf8" }).filter(
    (path) => /(^|\/)(run-|grade-|assay-tmp-)[^/]*$/.test(path) && !/^assay-tmp-\d+$/.test(path),
  );
}

describe.each(sandboxes)("rollouts in %s", (sandbox) => {
  test("end as what each agent made of its task, and leave nothing behind", async () => {
    await using project = await rolloutProject();
    const before = hashTree(project.path("tasks"));
    withAgents(
      project,
      scripts(
        "good",
        "half",
        "bad",
        "idle",
        "failing",
        "nogit",
        "loud",
        "forks",
        "cheats",
        "commits",
        "links",
      ),
    );
    const { code, stderr } = await project.run("study.yaml", "-p", `sandbox=${sandbox}`);
    expect(stderr).not.toMatch(/error|stack/i);
    expect(code).toBe(0);
    const records = byAgent(project);
    const told = Object.entries(records).map(([name, { outcome, metrics, labels }]) => [
      ...[name, outcome.status, metrics.score, metrics.solved, labels!.agent_exit, labels!.patch],
    ]);
    expect(told.sort()).toEqual([
      ["bad", "ok", 0, 0, "0", "plain"],
      ["cheats", "ok", 0, 0, "0", "plain"],
      ["commits", "ok", 1, 1, "0", "plain"],
      ["failing", "ok", 1, 1, "7", "plain"],
      ["forks", "ok", 1, 1, "0", "plain"],
      ["good", "ok", 1, 1, "0", "plain"],
      ["half", "ok", 0.75, 0, "0", "plain"],
      ["idle", "ok", 0, 0, "0", "empty"],
      ["links", "ok", 1, 1, "0", "plain"],
      ["loud", "ok", 1, 1, "0", "plain"],
      ["nogit", "ok", 1, 1, expect.any(String), "plain"],
    ]);
    expect(Object.values(records).every(({ labels }) => labels!.sandbox === sandbox)).toBe(true);
    expect(outOf(project, records.loud!, "logs/agent.stdout.txt").length).toBeLessThan(20_000_000);
    expect(outOf(project, records.links!, "artifacts/diff.patch")).not.toContain("root:");
    expect(outOf(project, records.half!, "scoring_results.md")).toContain("75.0%");
    expect(hashTree(project.path("tasks"))).toBe(before);
    expect(copiesLeft(project)).toEqual([]);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("past their time are graded on what was left", async () => {
    await using project = await rolloutProject();
    withAgents(project, scripts("hangs"));
    const runFor = async (seconds: number) => {
      const limit = `agent_timeout_s=${seconds}`;
      const { code } = await project.run("study.yaml", "-p", `sandbox=${sandbox}`, "-p", limit);
      expect(code).toBe(0);
      return project.records("rollouts").at(-1)!;
    };
    let record = await runFor(2);
    // A slow machine may not even have begun with the agent by then.
    for (let seconds = 4; record.labels!.patch === "empty" && seconds < 40; seconds *= 2)
      record = await runFor(seconds);
    expect(record).toMatchObject({ outcome: { status: "ok" }, labels: { agent_exit: "timeout" } });
    expect(record.metrics).toMatchObject({ score: 1, solved: 1 });
    expect(copiesLeft(project)).toEqual([]);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("past their disk are graded on what was left", async () => {
    await using project = await rolloutProject();
    withAgents(project, scripts("fills"));
    const { code } = await project.run("study.yaml", "-p", `sandbox=${sandbox}`, "-p", "disk_mb=50");
    expect(code).toBe(0);
    const record = project.onlyRecord("rollouts");
    expect(record).toMatchObject({ outcome: { status: "ok" }, labels: { agent_exit: "disk" } });
    expect(record.metrics.score).toBe(0);
    expect(copiesLeft(project)).toEqual([]);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("of one task at the same time don't see each other", async () => {
    await using project = await rolloutProject();
    const before = hashTree(project.path("tasks"));
    project.edit("study.yaml", "executor: { jobs: 2 }", "executor: { jobs: 4 }\nseeds: 8");
    withAgents(project, {
      one: ["sh", "-c", 'cat lamp.txt > was.txt; echo "on bright ${seed}" > lamp.txt; ls'],
    });
    const { code } = await project.run("study.yaml", "-p", `sandbox=${sandbox}`);
    expect(code).toBe(0);
    const records = project.records("rollouts");
    expect(records.map(({ metrics }) => metrics.score)).toEqual(Array(8).fill(1));
    for (const record of records) {
      expect(outOf(project, record, "artifacts/diff.patch")).toContain(`+on bright ${record.seed}`);
      expect(outOf(project, record, "artifacts/diff.patch")).toContain("+off");
    }
    expect(hashTree(project.path("tasks"))).toBe(before);
  });

  test("keep what an agent tells of itself, and cost what it says", async () => {
    await using project = await rolloutProject();
    withAgents(project, scripts("tells"));
    await project.run("study.yaml", "-p", `sandbox=${sandbox}`);
    const record = project.onlyRecord("rollouts");
    expect(record.metrics).toMatchObject({ tokens_total: 1200, tool_calls: 3, cost_usd: 0.25 });
    expect(record.costUsd).toBe(0.25);
    expect(outOf(project, record, "artifacts/notes.md")).toBe("It was off.\n");
    // A link is no trajectory.
    expect(record.files!.filter((file) => file.startsWith("trajectories/"))).toEqual([]);
    expect(JSON.parse(outOf(project, record, "evaluation_results.json"))).toMatchObject({
      total_score: 1,
      agent_metrics: { tokens_total: 1200, money_spent_usd: 0.25 },
    });
  });
});

describe("a rollout", () => {
  test.skipIf(noBubblewrap)(
    `can't leave bubblewrap by path, link or network${noBubblewrap ? ` (skipped: ${noBubblewrap})` : ""}`,
    async () => {
      await using project = await rolloutProject();
      const before = hashTree(project.path("tasks"));
      const outside = mkdtempSync(join(tmpdir(), "assay-outside-"));
      writeFileSync(join(outside, "file"), "untouched");
      let calls = 0;
      const server = createServer((socket) => {
        calls++;
        socket.end();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const words = ["agents/escapes.sh", project.path("tasks/lamp"), join(outside, "file"), String(port)];
      withAgents(project, { escapes: words });
      const { code } = await project.run("study.yaml", "-p", "sandbox=bubblewrap");
      await new Promise((resolve) => server.close(resolve));
      expect(code).toBe(0);
      const record = project.onlyRecord("rollouts");
      expect(record).toMatchObject({ outcome: { status: "ok" }, metrics: { score: 1 } });
      expect(calls).toBe(0);
      expect(hashTree(project.path("tasks"))).toBe(before);
      expect(execFileSync("cat", [join(outside, "file")], { encoding: "utf8" })).toBe("untouched");
      expect(outOf(project, record, "artifacts/diff.patch")).not.toContain("rubric_id");
      rmSync(outside, { recursive: true });
    },
  );

  test("of tasks that can't be read are refused before anything runs, each by its name", async () => {
    await using project = await rolloutProject({ "tasks/empty/repo/x": "", "tasks/bare/tb_meta.json": "{" });
    project.edit(
      "study.yaml",
      "tasks: [tasks/lamp]",
      "tasks: [tasks/lamp, tasks/empty, tasks/bare, tasks/gone]",
    );
    for (const command of ["plan", "run"]) {
      const { code, stderr } = await project.assay(command, "study.yaml");
      expect(code).toBe(2);
      expect(stderr).toContain("3 of 4 tasks can't be read");
      expect(stderr).toMatch(/tasks\/empty: .* is no task/);
      expect(stderr).toMatch(/tasks\/bare: .*tb_meta\.json/);
      expect(stderr).toMatch(/tasks\/gone: .*does not exist/);
    }
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("of an agent that is not installed is refused before anything runs", async () => {
    await using project = await rolloutProject();
    withAgents(project, { absent: ["no-such-agent"] });
    const { code, stderr } = await project.run("study.yaml");
    expect(code).toBe(2);
    expect(stderr).toContain('the agent absent can\'t start: the program "no-such-agent" is not in PATH');
    expect(project.exists("bench_runs")).toBe(false);
  });

  test("of an agent whose program is known only in the run, and not there, is the infrastructure's", async () => {
    await using project = await rolloutProject();
    withAgents(project, { absent: ["${task_id}"] });
    const { code } = await project.run("study.yaml");
    expect(code).toBe(1);
    const record = project.onlyRecord("rollouts");
    expect(record.outcome).toMatchObject({
      owner: "infrastructure",
      reason: expect.stringContaining("can't start"),
    });
    expect(record.metrics.score).toBeUndefined();
  });

  test("whose test can't run is missing, and the grader's", async () => {
    await using project = await rolloutProject();
    project.edit("tasks/lamp/tb_meta.json", '"grep -q bright lamp.txt\\n"', '"no-such-runner\\n"');
    const { code } = await project.run("study.yaml");
    expect(code).toBe(1);
    const record = project.onlyRecord("rollouts");
    expect(record.outcome).toMatchObject({ status: "failed", owner: "grader" });
    expect(record.metrics).toMatchObject({ tests_total: 2, tests_passed: 1 });
    expect(record.metrics.score).toBeUndefined();
    expect(JSON.parse(outOf(project, record, "evaluation_results.json"))).toMatchObject({
      total_score: null,
      problem: { owner: "grader" },
    });
  });

  test("runs again when its agent's script has changed, and others do not", async () => {
    await using project = await rolloutProject();
    withAgents(project, scripts("good", "half"));
    await project.run("study.yaml");
    project.write("agents/half.sh", `${project.read("agents/half.sh")}\n# Edited.\n`);
    const { stderr } = await project.run("study.yaml", "-v");
    expect(stderr.match(/^run .*$/gm)).toEqual([
      expect.stringMatching(/half.*: files of its parameters changed$/),
    ]);
    expect(project.records("rollouts")).toHaveLength(3);
    expect(project.records("rollouts").at(-1)!.labels!.agent).toBe("half");
    await project.run("study.yaml");
    expect(project.records("rollouts")).toHaveLength(3);
  });

  test("runs again when its task has changed, and only then", async () => {
    await using project = await rolloutProject();
    await project.run("study.yaml");
    await project.run("study.yaml");
    expect(project.records("rollouts")).toHaveLength(1);
    project.edit("tasks/lamp/tb_meta.json", "The lamp", "A lamp");
    await project.run("study.yaml");
    expect(project.records("rollouts")).toHaveLength(2);
  });
});
