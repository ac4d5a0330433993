import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";
import { canRun } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

/** A study whose runs wait for a file `go`, with its first two under way. */
async function startSlow(project: Project) {
  const runner = project.start("run", "study.yaml");
  await waitFor("two runs to start", () => project.lines("started.txt").length === 2);
  return runner;
}

describe("two runners on one folder", () => {
  test("the second is refused with the first one's process and command", async () => {
    await using project = await fixture("slow");
    const runner = await startSlow(project);
    // The first goes on until there is a `go`: whoever waited for it would never end.
    const second = await project.run("study.yaml", "--jobs", "1");
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toContain(`is being run by process ${runner.pid} on `);
    expect(second.stderr).toContain("(assay run study.yaml)");
    expect(second.stderr.trim().split("\n")).toHaveLength(1);
    expect((await project.run("study.yaml", "--fresh")).code).toBe(2);
    project.write("go", "");
    expect((await runner.ended).stdout).toContain("6 ok of 6 runs");
    expect(project.records("slow")).toHaveLength(6);
    expect(project.exists("bench_runs/slow/lock.json")).toBe(false);
  });

  test("the second is refused, too, in a network namespace from which the first can't be seen", async ({
    skip,
  }) => {
    skip(!canRun("unshare", "--net", "true"), "network namespaces are not allowed here");
    await using project = await fixture("slow");
    const runner = await startSlow(project);
    const apart = (...words: string[]) =>
      project.launch(["unshare", "--net", process.execPath, assayPath, ...words]).ended;
    const second = await apart("run", "study.yaml");
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toContain(`is being run by process ${runner.pid} on `);
    expect((await apart("status", "slow")).stdout).toContain(`running: process ${runner.pid}`);
    project.write("go", "");
    expect((await runner.ended).stdout).toContain("6 ok of 6 runs");
  });

  test("of ten that start at once one runs, and each run runs once", async () => {
    await using project = await fixture("slow");
    project.write("go", "");
    const all = await Promise.all(Array.from({ length: 10 }, () => project.run("study.yaml", "-q")));
    const refused = all.filter(({ code }) => code === 2);
    expect(all.filter(({ code }) => code === 0).length + refused.length).toBe(10);
    for (const { stderr } of refused) expect(stderr).toContain("is being run by");
    expect(project.lines("started.txt").sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(project.records("slow")).toHaveLength(6);
  });

  test("a dead holder's lock is taken over without a flag", async () => {
    await using project = await fixture("slow");
    const runner = await startSlow(project);
    runner.kill("SIGKILL");
    await runner.ended;
    expect(project.exists("bench_runs/slow/lock.json")).toBe(true);
    expect((await project.assay("status", "slow")).stdout).toContain(
      "not running; the same `assay run` resumes it",
    );
    project.write("go", "");
    const next = await project.run("study.yaml");
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining("6 ok of 6 runs") });
  });

  test("status, report, collect, show and query work while a run is on", async () => {
    await using project = await fixture("slow");
    project.edit("wait.sh", "until", '[ "$ASSAY_SEED" = 1 ] && exit 0; until');
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor(
      "a run to end",
      () => project.exists("bench_runs/slow/journal.jsonl") && project.records("slow").length === 1,
    );
    await waitFor(
      "live.json to tell",
      () =>
        project.exists("bench_runs/slow/live.json") &&
        project.read("bench_runs/slow/live.json").includes("seed3"),
    );
    const status = JSON.parse((await project.assay("status", "slow", "--json")).stdout);
    expect(status).toMatchObject({ total: 6, ok: 1, failed: 0, left: 5, runner: { pid: runner.pid } });
    expect(status.running.length).toBeGreaterThanOrEqual(2);
    const text = await project.assay("status", "slow");
    expect(text.stdout).toContain(`running: process ${runner.pid} on `);
    expect((await project.assay("status")).stdout).toMatch(/slow .* running/);
    expect((await project.assay("report", "slow")).code).toBe(0);
    expect((await project.assay("collect", "slow")).stdout).toContain("1 row ");
    expect((await project.assay("show", project.onlyRecord("slow").id)).code).toBe(0);
    const counted = await project.assay("query", "slow", "SELECT count(*) AS n FROM runs", "--json");
    expect(JSON.parse(counted.stdout)).toEqual([{ n: 1 }]);
    project.write("go", "");
    expect((await runner.ended).code).toBe(0);
  });
});
