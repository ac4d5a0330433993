import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

const ATIF = {
  schema_version: "ATIF-v1.4",
  session_id: "s",
  agent: { name: "codex", version: "1", model_name: "gpt" },
  steps: [
    { step_id: 1, source: "user", message: "Fix it." },
    {
      step_id: 2,
      source: "agent",
      message: "A look first.",
      tool_calls: [{ tool_call_id: "1", function_name: "bash", arguments: { command: "ls" } }],
      observation: { results: [{ source_call_id: "1", content: "a.txt" }] },
    },
  ],
};

/** A Harbor job: two agents on six tasks, two trials each; `codex` solves only the even tasks. */
async function withJob(): Promise<Project> {
  const project = await fixture("sums");
  let number = 0;
  for (const agent of ["claude-code", "codex"])
    for (let task = 0; task < 6; task++)
      for (const trial of ["x", "y"])
        writeTrial(project, {
          dir: `jobs/night/task-${task}__${agent}-${trial}`,
          id: `id-${number++}`,
          ...{ agent, task: `task-${task}` },
          reward: agent === "codex" && task % 2 === 1 ? 0 : 1,
        });
  project.write("jobs/night/result.json", JSON.stringify({ id: "job", n_total_trials: 24 }));
  project.write("jobs/night/task-0__codex-x/agent/trajectory.json", JSON.stringify(ATIF));
  return project;
}

interface Trial {
  dir: string;
  id: string;
  agent: string;
  task: string;
  reward: number | null;
}

function writeTrial(project: Project, { dir, id, agent, task, reward }: Trial): void {
  const result = {
    ...{ id, task_name: task, trial_name: dir.split("/").at(-1), source: "ours" },
    agent_info: { name: agent, version: "1", model_info: { name: "m", provider: "p" } },
    agent_result: { n_input_tokens: 100, n_output_tokens: 10, cost_usd: 0.1 },
    verifier_result: reward === null ? null : { rewards: { reward } },
    exception_info:
      reward === null
        ? { exception_type: "EnvironmentStartTimeoutError", exception_message: "no docker" }
        : null,
    started_at: "2026-01-30T10:00:00",
    finished_at: "2026-01-30T10:02:00",
  };
  project.write(`${dir}/result.json`, JSON.stringify(result));
}

function journal(project: Project, name: string): string[] {
  return readFileSync(project.path(`bench_runs/${name}/journal.jsonl`), "utf8")
    .trim()
    .split("\n");
}

test("an imported job can be asked, compared and reported like a study", async () => {
  await using project = await withJob();
  const imported = await project.assay("import", "jobs/night");
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  expect(imported.stdout).toContain("night: 24 new (24 of harbor)");
  expect(imported.stdout).toContain("24 trials in bench_runs/night, 0 of them without a verdict");

  const query = await project.assay(
    ...[
      "query",
      "night",
      "SELECT agent, count(*) n, avg(score) score FROM runs GROUP BY 1 ORDER BY 1",
      "--json",
    ],
  );
  expect(JSON.parse(query.stdout)).toMatchObject([
    { agent: "claude-code", n: 12, score: 1 },
    { agent: "codex", n: 12, score: 0.5 },
  ]);
  const compared = await project.assay("compare", "night", "--by", "agent", "--json");
  expect(compared.code).toBe(0);
  const [comparison] = JSON.parse(compared.stdout).comparisons;
  expect(comparison).toMatchObject({ metric: "score", goal: "maximize" });
  expect(comparison.sentence).toContain("+50 points [−10, +100]");
  expect((await project.assay("rank", "night", "--by", "agent")).stdout).toContain("claude-code");

  expect((await project.assay("report", "night", "--no-plots")).code).toBe(0);
  const report = JSON.parse(readFileSync(project.path("bench_runs/night/report/report.json"), "utf8"));
  expect(JSON.stringify(report)).toContain("codex");
  expect(project.read("bench_runs/night/report/report.md")).toMatch(/^ {4}assay import jobs\/night$/m);
  const shown = readdirSync(project.path("bench_runs/night/runs"));
  expect(shown).toHaveLength(1);
});

test("importing twice adds nothing; a trial that has changed counts as it is now", async () => {
  await using project = await withJob();
  await project.assay("import", "jobs");
  const before = journal(project, "jobs");
  const again = await project.assay("import", "jobs", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, changed: 0, known: 24, total: 24 });
  expect(journal(project, "jobs")).toEqual(before);

  writeTrial(project, {
    ...{ dir: "jobs/night/task-0__codex-x", id: "id-12", agent: "codex", task: "task-0" },
    reward: null,
  });
  const changed = await project.assay("import", "jobs", "--json");
  expect(JSON.parse(changed.stdout)).toMatchObject({
    added: 0,
    changed: 1,
    known: 23,
    total: 24,
    missing: 1,
  });
  const newest = JSON.parse(journal(project, "jobs").at(-1)!);
  expect(newest).toMatchObject({ attempt: 2, outcome: { status: "failed", owner: "infrastructure" } });
  expect(newest.metrics.score).toBeUndefined();
});

test("other results join under the same name, with numbers of their own", async () => {
  await using project = await withJob();
  await project.assay("import", "jobs", "--name", "all");
  writeTrial(project, { dir: "more/j/t", id: "new", agent: "codex", task: "task-0", reward: 1 });
  project.write(
    "acme__m.run1.json",
    JSON.stringify({ resolved_ids: ["a__a-1"], unresolved_ids: ["a__a-2"], error_ids: ["a__a-3"] }),
  );
  const joined = await project.assay("import", "more", "acme__m.run1.json", "--name", "all", "--json");
  expect(JSON.parse(joined.stdout)).toMatchObject({
    ...{ added: 4, known: 0, total: 28, missing: 1 },
    formats: { harbor: 1, "swe-bench": 3 },
  });
  const records = journal(project, "all").map((line) => JSON.parse(line));
  const own = records.filter(({ params, task }) => params.agent === "codex" && task === "task-0");
  expect(own.map(({ seed }) => seed)).toEqual([1, 2, 3]);
  const study = JSON.parse(readFileSync(project.path("bench_runs/all/study.json"), "utf8"));
  expect(study.total).toBe(28);
  expect(study.launches).toHaveLength(2);
  const status = await project.assay("status", "all", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({ total: 28, ok: 27, failed: 1, left: 0 });
});

test("of very many results the page is worked out at once, also where they are pulled", async () => {
  await using project = await withJob();
  const ids = Array.from({ length: 2000 }, (_, i) => `a__a-${i}`);
  project.write(
    "acme__m.run1.json",
    JSON.stringify({ resolved_ids: ids, unresolved_ids: [], error_ids: [] }),
  );
  await project.assay("import", "jobs", "--name", "few");
  await project.assay("import", "acme__m.run1.json", "--name", "many");
  expect(project.exists("bench_runs/few/view.json")).toBe(false);
  const { counts } = JSON.parse(project.read("bench_runs/many/view.json")).view;
  expect(counts).toMatchObject({ total: 2000, ok: 2000 });
  await project.assay("push", "many", "team");
  expect(await project.assay("pull", "team", "many", "--out-root", "theirs")).toMatchObject({ code: 0 });
  expect(JSON.parse(project.read("theirs/many/view.json")).view.counts).toEqual(counts);
});

test("what the agent did is kept with its run", async () => {
  await using project = await withJob();
  await project.assay("import", "jobs", "--name", "night");
  const [run] = readdirSync(project.path("bench_runs/night/runs"));
  expect(run).toMatch(/^codex__p-m__task-0__rollout\d__[0-9a-f]{12}$/);
  const kept = project.path(`bench_runs/night/runs/${run}/out/trajectory.json`);
  expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual(ATIF);
  const shown = await project.assay("traj", kept);
  expect(shown).toMatchObject({ code: 0 });
});

test("what can't be read is one line, and the rest is imported", async () => {
  await using project = await withJob();
  project.write("jobs/night/task-1__codex-x/config.json", "{}");
  project.write("jobs/night/task-1__codex-x/result.json", '{"task_name": "ta');
  const imported = await project.assay("import", "jobs");
  expect(imported.code).toBe(0);
  expect(imported.stdout).toContain("23 new");
  expect(imported.stderr.trim().split("\n")).toEqual([
    expect.stringMatching(
      /^warning: jobs\/night\/task-1__codex-x\/result\.json: no valid JSON, it looks cut off/,
    ),
  ]);
});

test("mistakes are told in one message", async () => {
  await using project = await withJob();
  const nothing = await project.assay("import", "gone");
  expect(nothing).toMatchObject({ code: 2 });
  expect(nothing.stderr).toContain("gone: there is no such file or folder");
  project.write("bench_runs/mine/journal.jsonl", "");
  const mine = await project.assay("import", "jobs", "--name", "mine");
  expect(mine.code).toBe(2);
  expect(mine.stderr).toContain(
    "bench_runs/mine holds runs that were not imported. Name another study: --name NAME.",
  );
  const format = await project.assay("import", "jobs", "--format", "harbour");
  expect(format.stderr).toContain('Did you mean "harbor"?');
  expect(existsSync(project.path("bench_runs/jobs"))).toBe(false);
});

test("a journal whose last line was torn goes on after the last whole one", async () => {
  await using project = await withJob();
  await project.assay("import", "jobs");
  appendFileSync(project.path("bench_runs/jobs/journal.jsonl"), '{"id":"torn');
  writeTrial(project, { dir: "jobs/night/extra", id: "extra", agent: "codex", task: "task-9", reward: 1 });
  const again = await project.assay("import", "jobs", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 1, known: 24 });
  expect(journal(project, "jobs").map((line) => JSON.parse(line).id)).toHaveLength(25);
});
