import { appendFileSync, cpSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { runStudy } from "assay";
import { describe, expect, test } from "vitest";
import { RandomStream } from "../../src/core/random.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { processesIn } from "../support/processes.ts";
import { waitFor } from "../support/wait-for.ts";

const RUNS = 200;
/** For tests that start the program some dozens or hundreds of times. */
const MANY_STARTS_MS = 600_000;

/** The records that are whole, also behind a torn last line. */
function wholeRecords(project: Project): RunRecord[] {
  const path = "bench_runs/crash/journal.jsonl";
  if (!project.exists(path)) return [];
  return project
    .read(path)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RunRecord);
}

/** How often a run was executed, by the marks that it left. */
const ticksOf = (project: Project, id: string) => project.lines(`ticks/${id}`).length;

describe("kill -9 of the runner", { timeout: MANY_STARTS_MS }, () => {
  test.each([
    [16, "programs.yaml"],
    [8, "modules.yaml"],
  ])("at %d random instants loses and repeats nothing (%s)", async (kills, file) => {
    await using project = await fixture("crash");
    const random = new RandomStream(1, `kill-${file}`);
    const finished = new Map<string, number>();
    let orphans: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const before = wholeRecords(project).length;
      const runner = project.start("run", file, "--no-report");
      // Somewhere between its start and the end of its next few runs, at any point of their lives.
      const records = Math.floor(random.uniform(kill, 0) * 6);
      const enough = Math.min(before + records, RUNS - 1);
      await waitFor("some runs to end", () => runner.isOver || wholeRecords(project).length >= enough, {
        everyMs: 1,
      });
      await new Promise((resolve) =>
        setTimeout(resolve, random.uniform(kill, 1) * (records === 0 ? 250 : 12)),
      );
      const hasStarted = runner.stderr.includes("200 runs");
      runner.kill("SIGKILL");
      expect((await runner.ended).code, runner.stderr).toBeNull();
      const left = processesIn(project.dir);
      if (hasStarted) expect(orphans.filter((pid) => left.includes(pid))).toEqual([]);
      orphans = left;
      for (const [id, ticks] of finished) expect(ticksOf(project, id)).toBe(ticks);
      for (const { id } of wholeRecords(project))
        if (!finished.has(id)) finished.set(id, ticksOf(project, id));
    }

    project.write("go", "");
    const last = await project.run(file);
    expect(last.code, last.stderr + last.stdout).toBe(0);
    expect(processesIn(project.dir)).toEqual([]);
    const ids = project.records("crash").map(({ id }) => id);
    expect(ids).toHaveLength(RUNS);
    expect(new Set(ids).size).toBe(RUNS);
    expect([...finished.keys()].filter((id) => !ids.includes(id))).toEqual([]);
    for (const [id, ticks] of finished)
      expect(ticksOf(project, id), `${id} ran after it was recorded`).toBe(ticks);
    for (const id of ids) {
      expect(project.read(`bench_runs/crash/runs/${id}/out/summary.csv`)).toBe("value\n1\n");
      expect(JSON.parse(project.read(`bench_runs/crash/runs/${id}/meta.json`))).toMatchObject({
        status: "ok",
      });
    }
  });
});

test("kill -9 of the runner leaves on record each try that it cut short, with its time and what it had cost", async () => {
  await using project = await fixture("crash", {
    "study.yaml": "{study: cut, target: {command: [sh, program.sh]}, executor: {jobs: 1}}",
    "program.sh": `
echo '{"costUsd": 0.5}' >"$ASSAY_OUT_DIR/spent.json"
echo "$ASSAY_ATTEMPT" >>tries
[ -e go ] || exec sleep 600
echo '{"cost_usd": 1}' >"$ASSAY_OUT_DIR/metrics.json"`,
  });
  for (const tries of [1, 2]) {
    const runner = project.start("run", "study.yaml", "--no-report");
    await waitFor("the try", () => project.exists("tries") && project.lines("tries").length === tries);
    await waitFor("its mark", () => project.exists("bench_runs/cut/live.json"));
    runner.kill("SIGKILL");
    await runner.ended;
  }
  project.write("go", "");
  const { code, stdout } = await project.run("study.yaml", "--json");
  expect(code).toBe(0);
  const lost = { reason: "it was killed", costUsd: 0.5 };
  expect(project.records("cut")).toMatchObject([{ attempt: 3, costUsd: 1, earlier: [lost, lost] }]);
  for (const { wallMs } of project.onlyRecord("cut").earlier!) expect(wallMs).toBeGreaterThan(0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: 1, costUsd: 2 });
  expect(project.lines("tries")).toEqual(["1", "2", "3"]);
});

describe("a torn journal", { timeout: MANY_STARTS_MS }, () => {
  test("cut at every byte of its last record is repaired, re-runs at most one run and appends cleanly", async () => {
    await using project = await fixture("crash", {
      "study.yaml": "{study: torn, target: noop, seeds: 3, artifacts: none, executor: {jobs: 1}}",
    });
    const outRoot = project.path("bench_runs");
    const journal = `${outRoot}/torn/journal.jsonl`;
    await runStudy(project.path("study.yaml"), { outRoot });
    const whole = readFileSync(journal);
    const start = whole.lastIndexOf(10, whole.length - 2) + 1;
    const ids = project.records("torn").map(({ id }) => id);
    for (let length = start; length <= whole.length; length++) {
      writeFileSync(journal, whole.subarray(0, length));
      // Without its newline alone the last record is still whole.
      const isWhole = length >= whole.length - 1;
      const halted = await runStudy(project.path("study.yaml"), { outRoot, stop: AbortSignal.abort() });
      expect(halted.summary, `cut at ${length - start}`).toMatchObject({ ok: 0, left: isWhole ? 0 : 1 });
      const repaired = readFileSync(journal);
      expect(repaired.equals(isWhole ? whole : whole.subarray(0, start)), `cut at ${length - start}`).toBe(
        true,
      );
      // The repaired bytes are the same at every cut, so going on is tried at a few.
      if (length % 16 > 0) continue;
      const { summary } = await runStudy(project.path("study.yaml"), { outRoot });
      expect(summary.ok).toBe(isWhole ? 0 : 1);
      expect(project.records("torn").map(({ id }) => id)).toEqual(ids);
    }
  });

  test("with rubbish in its middle is read around it, and the user is told", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const path = project.path("bench_runs/sums/journal.jsonl");
    const [first, ...rest] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [first!.slice(0, 40), ...rest].join("\n"));
    const again = await project.run("study.yaml");
    expect(again.stdout).toContain("passed over a line that is not a record; line 1");
    expect(again.stdout).toContain("1 ok, 3 done before");
    expect((await project.assay("status", "sums")).stdout).toContain("4 ok");
  });

  test("is read as far as it is whole by commands that only look", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    appendFileSync(project.path("bench_runs/sums/journal.jsonl"), '{"id":"a9__torn","par');
    cpSync(project.path("bench_runs"), project.path("copy"), { recursive: true });
    expect((await project.assay("status", "copy/sums")).stdout).toContain("4 ok");
    expect((await project.assay("collect", "copy/sums")).stdout).toContain("4 rows");
    expect((await project.assay("report", "copy/sums")).code).toBe(0);
    truncateSync(project.path("copy/sums/journal.jsonl"), 0);
    expect((await project.assay("status", "copy/sums")).stdout).toContain("0 ok");
  });
});
