import { describe, expect, test, vi } from "vitest";
import { evaluateLaunch } from "../../src/api/evaluate-launch.ts";
import { MachineError } from "../../src/core/errors.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { Journal } from "../../src/engine/journal.ts";
import type { Manifest } from "../../src/targets/coding/launch-files/rollout-manifest.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { waitFor } from "../support/wait-for.ts";

const ROOT = "data/rollouts/nightly";

const stamps = (project: Project) => project.list(ROOT).sort();
const newest = (project: Project) => `${ROOT}/${stamps(project).at(-1)}`;
const manifestOf = (project: Project) =>
  JSON.parse(project.read(`${newest(project)}/manifest.json`)) as Manifest;
const journalOf = (project: Project) =>
  project.lines(`${newest(project)}/journal.jsonl`).map((line) => JSON.parse(line) as RunRecord);
const run = (project: Project, ...words: string[]) =>
  project.assay("run", "nightly.toml", "--no-report", ...words);

describe("assay run FILE.toml", () => {
  test("names each rollout by agent and task, and leaves files as the original tool did", async () => {
    await using project = await fixture("launches");
    const { code, stdout, stderr } = await run(project);
    expect(code).toBe(0);
    const [stamp] = stamps(project);
    const lines = stderr.trimEnd().split("\n");
    expect(lines[0]).toBe(`8 runs -> ${ROOT}/${stamp}`);
    expect(lines.filter((line) => line.startsWith("ok "))).toHaveLength(8);
    expect(stderr).toMatch(/^ok solver on greet, rollout 1 in .*: solved$/m);
    expect(stderr).toMatch(/^ok flaky on count, rollout 2 in .*: score 0.25$/m);
    expect(stdout).toMatch(/^nightly: 8 ok of 8 runs in /);
    expect(stdout).toMatch(/^flaky +2 +4 /m);
    const { results, ...head } = manifestOf(project);
    expect(head).toEqual({ config: "nightly.toml", name: "nightly", created_at: stamp });
    expect(results.map((row) => `${row.run_id} ${row.task_dir} ${row.agent} ${row.rollout}`)).toEqual([
      ...[`${stamp}-0 tasks/greet solver 1`, `${stamp}-1 tasks/greet solver 2`],
      ...[`${stamp}-2 tasks/count solver 1`, `${stamp}-3 tasks/count solver 2`],
      ...[`${stamp}-4 tasks/greet flaky 1`, `${stamp}-5 tasks/greet flaky 2`],
      ...[`${stamp}-6 tasks/count flaky 1`, `${stamp}-7 tasks/count flaky 2`],
    ]);
    // As that tool's own script reads them.
    const graded = results.map(({ run_dir }) =>
      JSON.parse(project.read(`${run_dir}/evaluation_results.json`)),
    );
    expect(graded.map(({ run_id }) => run_id)).toEqual(results.map(({ run_id }) => run_id));
    expect(graded.map(({ total_score }) => total_score)).toEqual([1, 1, 1, 1, 1, 0, 1, 0.25]);
    expect(project.lines(`${newest(project)}/runs.txt`)).toEqual(results.map(({ run_dir }) => run_dir));
    expect(project.list(`${newest(project)}/task_results`)).toHaveLength(8);
    expect(results.every(({ status, launch_rc }) => status === "completed" && launch_rc === 0)).toBe(true);
  });

  test("shows with -vv what agents print", async () => {
    await using project = await fixture("launches");
    const full = await run(project, "-vv");
    expect(full.stderr).toMatch(/^run solver on greet, rollout 1 \(solver__\S+\): new$/m);
    expect(full.stderr).toMatch(/^\[solver on greet, rollout 1\] solver at work$/m);
  });

  test("begins a new launch each time, and goes on with one that is named", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    await run(project, "-q");
    expect(stamps(project)).toHaveLength(2);
    const [first] = stamps(project);
    const again = await run(project, "--rollout", first!, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ studyDir: `${ROOT}/${first}`, skipped: 8, ok: 0 });
    const unknown = await run(project, "--rollout", "20000101__00-00-00");
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining(first!) });
  });

  test("killed in the middle leaves a whole manifest, and goes on with the same numbers", async () => {
    await using project = await fixture("launches");
    const entry = (name: string, command: string) =>
      `[[tasks]]\nprepared_dir = "tasks/count"\nagent = { name = "${name}", command = ${command} }\nrollouts = 2\n`;
    project.write(
      "nightly.toml",
      `parallel = 1\nsandbox = "directory"\n${entry("solver", '["agents/solver.sh"]')}${entry("patient", `["agents/patient.sh", "${project.dir}"]`)}`,
    );
    const first = project.start("run", "nightly.toml", "--no-report");
    await waitFor("a rollout under way after some have ended", () => {
      if (!project.exists(`${newest(project)}/manifest.json`)) return false;
      const all = manifestOf(project).results.map(({ status }) => status);
      return all.join() === "completed,pending,running,pending";
    });
    first.kill("SIGKILL");
    await first.ended;
    const before = manifestOf(project).results;
    project.write("gate", "");
    const second = await run(project);
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("4 runs, 1 done before -> ") });
    expect(stamps(project)).toHaveLength(1);
    const after = manifestOf(project).results;
    expect(after.map(({ run_id, assay_run }) => [run_id, assay_run])).toEqual(
      before.map(({ run_id, assay_run }) => [run_id, assay_run]),
    );
    expect(after.every(({ status }) => status === "completed")).toBe(true);
    expect(
      journalOf(project)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(after.map(({ assay_run }) => assay_run).sort());
    expect(project.list(`${newest(project)}/task_results`)).toHaveLength(4);
  });

  test("does not try again what an agent failed at when a launch goes on, unless it is asked to", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    const [broken, lost, ...rest] = journalOf(project);
    const lines = [
      { ...broken, outcome: { status: "failed", owner: "agent", reason: "the patch does not apply" } },
      { ...lost, outcome: { status: "failed", owner: "infrastructure", reason: "the disk is gone" } },
      ...rest,
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    project.write(`${newest(project)}/journal.jsonl`, text);
    const [stamp] = stamps(project);
    const again = await run(project, "--rollout", stamp!, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: 1, failed: 0, skipped: 7, left: 0 });
    const asked = await run(project, "--rollout", stamp!, "--rerun", "failed", "--json");
    expect(JSON.parse(asked.stdout)).toMatchObject({ ok: 1, skipped: 7, left: 0 });
  });
});

describe("a launch that has ended", () => {
  test("is summarised as text, as JSON and as CSV", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    const text = await project.assay("summarize", "nightly", "--latest");
    expect(text.code).toBe(0);
    for (const line of text.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
    expect(text.stdout).toContain("flaky: greet, count");
    const json = JSON.parse((await project.assay("summarize", "nightly", "--json")).stdout);
    expect(json).toMatchObject({
      ...{ total: 8, left: 0, tasks: ["tasks/greet", "tasks/count"] },
      arms: [
        { arm: "solver", solved: 4, judged: 4 },
        { arm: "flaky", solved: 2, judged: 4, passes: [{ k: 1 }, { any: { value: 1 }, all: { value: 0 } }] },
      ],
    });
    const csv = (await project.assay("summarize", "nightly", "--csv")).stdout.trimEnd().split("\n");
    expect(csv).toHaveLength(9);
    expect(csv[0]).toMatch(/^run_id,task,arm,model,agent,rollout,status,missing,score,solved,cost_usd/);
  });

  test("is graded again by what its tasks say now", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    project.edit("tasks/greet/tb_meta.json", "grep -q hello greeting.txt", "grep -q HELLO greeting.txt");
    const evaluated = JSON.parse((await project.assay("score", "nightly", "--latest", "--json")).stdout);
    expect(evaluated).toMatchObject({ graded: 8, passedOver: 0, broken: [] });
    expect(evaluated.changed.map(({ after }: { after: { score: number } }) => after.score)).toEqual([
      0, 0, 0,
    ]);
    expect(journalOf(project)).toHaveLength(11);
    const [{ run_id, run_dir }] = manifestOf(project).results as [Manifest["results"][number]];
    const evaluation = JSON.parse(project.read(`${run_dir}/evaluation_results.json`));
    expect(evaluation).toMatchObject({ run_id, total_score: 0 });
    const result = JSON.parse(project.read(`${newest(project)}/task_results/${run_id}.json`));
    expect(result).toMatchObject({ score: 0, solved: 0 });
    const summary = JSON.parse((await project.assay("summarize", "nightly", "--json")).stdout);
    expect(summary.arms.map(({ solved }: { solved: number }) => solved)).toEqual([2, 1]);
    const same = JSON.parse((await project.assay("score", "nightly", "--json")).stdout);
    expect(same).toMatchObject({ graded: 8, changed: [] });
    expect(journalOf(project)).toHaveLength(11);
  });

  test("keeps its grades where the grader can't do its work, and says so", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    const [{ run_id, run_dir }] = manifestOf(project).results as [Manifest["results"][number]];
    const files = () => [
      project.read(`${newest(project)}/journal.jsonl`),
      project.read(`${newest(project)}/task_results/${run_id}.json`),
      project.read(`${run_dir}/evaluation_results.json`),
    ];
    const before = files();
    project.edit("tasks/greet/tb_meta.json", "grep -q hello greeting.txt", "no-such-grep hello greeting.txt");
    const { stdout, code } = await project.assay("score", "nightly", "--latest", "--json");
    expect(code).toBe(1);
    const { graded, changed, broken } = JSON.parse(stdout);
    expect({ graded, changed }).toEqual({ graded: 4, changed: [] });
    expect(broken).toHaveLength(4);
    expect(broken[0].reason).toContain("no-such-grep could not be started");
    expect(files()).toEqual(before);
  });

  test("is graded no further where the disk is full, and says so", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    project.edit("tasks/greet/tb_meta.json", "grep -q hello greeting.txt", "grep -q HELLO greeting.txt");
    const append = vi.spyOn(Journal.prototype, "append").mockImplementation(() => {
      throw new MachineError("the disk is full");
    });
    try {
      await expect(evaluateLaunch(project.path(newest(project)))).rejects.toThrow("the disk is full");
      expect(append.mock.calls.length).toBeLessThanOrEqual(2);
    } finally {
      append.mockRestore();
    }
    expect(project.exists(`${newest(project)}/lock.json`)).toBe(false);
  });

  test("is compared within, and with another one, task by task", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    await run(project, "-q");
    const [first, second] = stamps(project);
    const within = JSON.parse((await project.assay("compare", "nightly", "--json")).stdout);
    expect(within.comparisons[0]).toMatchObject({
      ...{ metric: "score", goal: "maximize" },
      baseline: { name: "solver" },
      candidate: { name: "flaky" },
      pairing: { isPaired: true, n: 2, noun: "task" },
    });
    const between = await project.assay("compare", `nightly/${first}`, `nightly/${second}`, "--json");
    expect(JSON.parse(between.stdout).comparisons[0]).toMatchObject({
      baseline: { name: `nightly/${first}` },
      candidate: { name: `nightly/${second}` },
      pairing: { isPaired: true },
    });
  });

  test("is shown and reported by its study's name", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    const [stamp] = stamps(project);
    expect((await project.assay("status")).stdout).toContain(`nightly/${stamp}`);
    expect((await project.assay("status", "nightly")).stdout).toContain(`nightly/${stamp}: 8 ok`);
    const report = await project.assay("report", "nightly", "--json", "--format", "md,json");
    const [file] = JSON.parse(report.stdout).files;
    expect(file).toBe(`${ROOT}/${stamp}/report/report.md`);
    expect(project.read(file)).toContain("## By task");
    expect(project.read(file)).toMatch(/\| tasks\/greet \| flaky \|/);
  });

  test("is not taken for what it is not", async () => {
    await using project = await fixture("launches");
    await run(project, "-q");
    const [stamp] = stamps(project);
    const both = await project.assay("summarize", "nightly", "--latest", "--rollout", "x");
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("one of the two") });
    const unknown = await project.assay("score", "nightly", "--rollout", "20000101__00-00-00");
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining(stamp!) });
    project.write("plain.yaml", "target: noop\n");
    const plain = await project.assay("run", "plain.yaml", "--rollout", stamp!);
    expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining("launches are kept apart") });
  });
});
