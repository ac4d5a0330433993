import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

/** Runs the study and gives the ids that ran, each with the reason that was printed. */
async function runAgain(project: Project): Promise<Record<string, string>> {
  const before = project.lines("ran.txt").length;
  const { code, stderr, stdout } = await project.run("study.yaml", "-vv");
  expect(code, stderr + stdout).toBe(0);
  const said = Object.fromEntries(
    [...stderr.matchAll(/^run .*\((\S+)\): (.*)$/gm)].map(([, id, why]) => [id, why]),
  );
  expect(project.lines("ran.txt").slice(before).sort()).toEqual(Object.keys(said).sort());
  return said;
}

const reasons = (said: Record<string, string>) => Object.values(said);

describe("only what changed runs again, and it is said why", () => {
  test("nothing changed: nothing runs", async () => {
    await using project = await fixture("sums");
    expect(reasons(await runAgain(project))).toEqual(["new", "new", "new", "new"]);
    expect(await runAgain(project)).toEqual({});
    project.write("study.yaml", `# A remark.\n${project.read("study.yaml")}executor: {jobs: 1}\n`);
    expect(await runAgain(project)).toEqual({});
  });

  test("a value on an axis changed: its runs are new, the others stay", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    project.edit("study.yaml", "a: [1, 2]", "a: [1, 3]");
    const again = await runAgain(project);
    expect(reasons(again)).toEqual(["new", "new"]);
    expect(Object.keys(again).every((id) => id.startsWith("a3__"))).toBe(true);
  });

  test("an axis value and a seed more: only the new runs", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    project.edit("study.yaml", "a: [1, 2]", "a: [0, 1, 2]");
    expect(reasons(await runAgain(project))).toEqual(["new", "new"]);
    project.edit("study.yaml", "seeds: [1, 2]", "seeds: [1, 2, 3]");
    expect(reasons(await runAgain(project))).toEqual(["new", "new", "new"]);
  });

  test("a fixed parameter changed: every run, with the old and the new value; changed back: none", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    project.edit("study.yaml", "b: 10", "b: 20");
    expect(new Set(reasons(await runAgain(project)))).toEqual(new Set(["params changed: b 10 -> 20"]));
    project.edit("study.yaml", "b: 20", "b: 10");
    expect(await runAgain(project)).toEqual({});
  });

  test("what is shown of the study leaves out runs of other parameters and of an older program", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    project.edit("study.yaml", "b: 10", "b: 20");
    const changed = await project.assay("run", "study.yaml");
    expect(changed.stdout).toMatch(/\n1 +2 +21 /);
    const report = JSON.parse(project.read("bench_runs/sums/report/report.json"));
    expect(JSON.stringify(report)).not.toContain('"mean":11');
    project.edit("sum.sh", "$1 + $2", "$1 + $2 + 1000");
    const rebuilt = await project.run("study.yaml");
    expect(rebuilt.stdout).toMatch(/\n1 +2 +1,021 /);
    const status = JSON.parse((await project.assay("status", "sums", "--json")).stdout);
    expect(status).toMatchObject({ total: 4, ok: 4, left: 0 });
    // A run of the old program has the label of the new one's.
    const { id } = project.records("sums").at(-1)!;
    const label = id.slice(0, id.lastIndexOf("__"));
    const shown = JSON.parse((await project.assay("show", label, "--json")).stdout);
    expect(shown.id).toBe(project.records("sums").findLast((record) => record.id.startsWith(label))!.id);
  });

  test("one output deleted: that run alone", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    const { id } = project.records("sums")[2]!;
    rmSync(project.path(`bench_runs/sums/runs/${id}/out/metrics.json`));
    expect(await runAgain(project)).toEqual({ [id]: "output missing: metrics.json" });
    rmSync(project.path(`bench_runs/sums/runs/${id}`), { recursive: true });
    expect(reasons(await runAgain(project))).toEqual([expect.stringMatching(/^output missing: /)]);
    expect(await runAgain(project)).toEqual({});
  });

  test("the program's file changed: every run", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    project.write("sum.sh", `${project.read("sum.sh")}# Better now.\n`);
    expect(new Set(reasons(await runAgain(project)))).toEqual(new Set(["program changed: sum.sh"]));
  });

  test("how the program is called changed: every run, whether by its variables, its folder or its warm-ups", async () => {
    await using project = await fixture("sums");
    const study = project.read("study.yaml");
    await runAgain(project);
    const change = async (text: string) => {
      project.write("study.yaml", text);
      const said = new Set(reasons(await runAgain(project)));
      expect(await runAgain(project)).toEqual({});
      return [...said];
    };
    expect(await change(`${study}env: {LEVEL: "1"}\n`)).toEqual(["environment variables changed"]);
    expect(await change(`${study}env: {LEVEL: "2"}\n`)).toEqual(["environment variables changed"]);
    expect(await change(study)).toEqual([]);
    const status = JSON.parse((await project.assay("status", "sums", "--json")).stdout);
    expect(status).toMatchObject({ total: 4, ok: 4, left: 0 });
    mkdirSync(project.path("in"));
    cpSync(project.path("sum.sh"), project.path("in/sum.sh"));
    project.write("study.yaml", study.replace("target: {", "target: { cwd: in,"));
    const moved = await project.run("study.yaml", "-vv");
    expect(moved.stderr.match(/: working folder changed$/gm)).toHaveLength(4);
    project.write("study.yaml", `${study}repeats: {warmup: 1}\n`);
    const warmed = await project.run("study.yaml", "-vv");
    expect(warmed.stderr.match(/^run /gm)).toHaveLength(4);
  });

  test("a variant that switches an axis off has its results, and none is left to do", async () => {
    await using project = await fixture("sums");
    project.write(
      "study.yaml",
      `study: hedges
target: { command: [sh, sum.sh, "1", "\${b}", "\${seed}"] }
params: { b: 10, hedging: true }
matrix: { h: { values: [5, 10], when: hedging } }
variants: [baseline, { name: no_hedge, params: { hedging: false } }]
`,
    );
    expect(await runAgain(project)).not.toEqual({});
    const status = JSON.parse((await project.assay("status", "hedges", "--json")).stdout);
    expect(status).toMatchObject({ total: 3, ok: 3, left: 0 });
    const sql = "SELECT ablation_name AS arm, count(variant) AS n FROM runs GROUP BY arm ORDER BY arm";
    const { stdout } = await project.assay("query", "hedges", sql, "--json");
    expect(JSON.parse(stdout)).toEqual([
      { arm: "baseline", n: 2 },
      { arm: "no_hedge", n: 1 },
    ]);
  });

  test("a module target and what it imports are the program", async () => {
    await using project = await fixture("modules", {
      "study.yaml": "{study: sums, target: ./half.ts, params: {of: 8}, seeds: 2}",
    });
    const ran = () => project.run("study.yaml", "-vv").then(({ stderr }) => stderr.match(/^run .*: (.*)$/gm));
    expect(await ran()).toHaveLength(2);
    expect(await ran()).toBeNull();
    project.edit("divide.ts", "a / b", "a / b + 0");
    expect(await ran()).toEqual([
      expect.stringContaining("program changed"),
      expect.stringContaining("program changed"),
    ]);
  });

  test("a moved study folder, and a copied one, still resumes", async () => {
    await using project = await fixture("sums");
    await runAgain(project);
    renameSync(project.path("bench_runs"), project.path("results"));
    const moved = await project.run("study.yaml", "--out-root", "results");
    expect(moved.stdout).toContain("0 ok, 4 done before");
    await using elsewhere = await fixture("sums");
    cpSync(project.path("results"), elsewhere.path("bench_runs"), { recursive: true });
    expect(await runAgain(elsewhere)).toEqual({});
    expect((await elsewhere.assay("status", "sums")).stdout).toContain("4 ok");
    expect((await elsewhere.assay("report", "sums")).code).toBe(0);
  });
});

describe("tasks of one's own are part of what is measured", () => {
  const run = async (project: Project) => {
    const { code, stderr, stdout } = await project.run("held.yaml", "-vv");
    expect(code, stderr + stdout).toBe(0);
    return [...stderr.matchAll(/^run .*\(\S*(first|second|baseline)__[0-9a-f]{12}\): (.*)$/gm)].map(
      ([, task, why]) => `${task}: ${why}`,
    );
  };

  test("one changed: its runs alone run again, and what it was before is shown no more", async () => {
    await using project = await fixture("agent");
    expect(await run(project)).toEqual(["first: new", "second: new"]);
    project.write("tasks/second/repo/README.md", "Another text.\n");
    expect(await run(project)).toEqual(["second: task changed"]);
    expect(await run(project)).toEqual([]);
    expect(project.records("held").map(({ task }) => task)).toEqual(["first", "second", "second"]);
    const status = JSON.parse((await project.assay("status", "held", "--json")).stdout);
    expect(status).toMatchObject({ total: 2, ok: 2, left: 0 });
    await project.assay("collect", "held");
    expect(project.lines("bench_runs/held/aggregate/runs.csv")).toHaveLength(1 + 2);
    project.write("tasks/third/task.json", project.read("tasks/first/task.json"));
    project.write("tasks/third/repo/README.md", "");
    project.write("tasks/third/check/run.sh", "");
    expect(await run(project)).toEqual([]);
  });

  test("a run that does all of them runs again when one of them changed", async () => {
    await using project = await fixture("agent");
    project.edit("held.yaml", "tasks: [first, second]\n", "");
    expect(await run(project)).toEqual(["baseline: new"]);
    project.write("tasks/second/repo/README.md", "Another text.\n");
    expect(await run(project)).toEqual(["baseline: tasks changed"]);
    expect(await run(project)).toEqual([]);
  });
});
