import Database from "libsql";
import { describe, expect, test } from "vitest";
import type { LiveState } from "../../src/core/live-state.ts";
import { RandomStream } from "../../src/core/random.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { fixture, type Project } from "../support/fixture.ts";
import { callsOf } from "../support/preload.ts";
import { waitFor } from "../support/wait-for.ts";

const endedIds = (project: Project, study: string) =>
  project
    .records(study)
    .filter(({ outcome }) => outcome.status === "ok")
    .map(({ id }) => id);

/** Of a journal that others are writing to: its whole lines. */
const recordsSoFar = (project: Project, study: string) => {
  const path = `bench_runs/${study}/journal.jsonl`;
  const lines = project.exists(path) ? project.read(path).split("\n").slice(0, -1) : [];
  return lines.map((line) => JSON.parse(line) as RunRecord);
};

const shownRunning = (project: Project, study: string) => {
  const path = `bench_runs/${study}/live.json`;
  return project.exists(path) ? (JSON.parse(project.read(path)) as LiveState).running : [];
};

describe("a search", () => {
  test("runs to its end with one command, and the same seed proposes the same points", async () => {
    await using project = await fixture("sweep");
    const first = await project.assay("run", "search.yaml", "--jobs", "1", "--json", "--no-report");
    expect(JSON.parse(first.stdout)).toMatchObject({ ok: 24, failed: 0, left: 0 });
    const points = project.records("search").map(({ params }) => params);
    await project.assay("run", "search.yaml", "--jobs", "1", "--fresh", "--no-report");
    expect(project.records("search").map(({ params }) => params)).toEqual(points);
    const best = Math.min(...project.records("search").map(({ metrics }) => metrics.f!));
    const early = Math.min(
      ...project
        .records("search")
        .slice(0, 5)
        .map(({ metrics }) => metrics.f!),
    );
    expect(best).toBeLessThan(early);
  });

  test("is parsed once by the command that makes it, and not again by its workers", async () => {
    await using project = await fixture("sweep");
    const parsed = (...words: string[]) => callsOf("parseSource", project, ...words);
    expect(await parsed("sweep", "search.yaml")).toBe(1);
    expect(await parsed("worker", "search", "--count", "2")).toBe(0);
    expect(endedIds(project, "search")).toHaveLength(2);
    expect(await parsed("run", "search.yaml", "--no-report")).toBe(1);
    expect(await parsed("plan", "search.yaml")).toBe(1);
  });

  test.each(["tpe", "gp", "sobol"])("by %s with runs in flight can be replayed", async (method) => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "method: tpe", `method: ${method}`);
    await project.assay("run", "search.yaml", "--jobs", "3", "--no-report");
    const { stdout, code } = await project.assay("sweep", "search", "--replay", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ asked: 24, same: 24, first: null, ended: 0, endedAgain: 0 });
  });

  test("by a searcher that is misspelt is told so, whatever else is missing", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "method: tpe", "method: tep");
    project.edit("search.yaml", "analysis: { metric: f, goal: minimize }", "");
    const { code, stderr } = await project.assay("run", "search.yaml");
    expect(code).toBe(2);
    expect(stderr).toMatch(/search\.yaml:4:3 .*unknown method "tep".*tpe/);
  });

  test("goes on where it stopped, with more points when the file asks for them", async () => {
    await using project = await fixture("sweep");
    await project.assay("run", "search.yaml", "--no-report");
    project.edit("search.yaml", "points: 24", "points: 30");
    const { stdout } = await project.assay("run", "search.yaml", "--json", "--no-report");
    expect(JSON.parse(stdout)).toMatchObject({ ok: 6, skipped: 24, left: 0 });
    expect(new Set(endedIds(project, "search")).size).toBe(30);
  });

  test("ends with its reason when every run fails, and when the metric never comes", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nparams: {broken: true}");
    const failing = await project.assay("run", "search.yaml", "--jobs", "1", "--no-report");
    expect(failing.code).toBe(1);
    expect(failing.stdout).toContain("all 5 runs so far have failed");
    expect(project.records("search")).toHaveLength(5);
    project.edit("search.yaml", "params: {broken: true}", "");
    project.edit("search.yaml", "metric: f", "metric: g");
    const blind = await project.assay("run", "search.yaml", "--jobs", "1", "--fresh", "--no-report");
    expect(blind.stdout).toContain("none of 5 finished points has g; the runs report f");
  });

  test("can be widened, paused, finished and given points while a worker is at it", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "points: 24", "points: 2");
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nparams: {slow: 20}");
    await project.assay("sweep", "search.yaml");
    await project.assay("sweep", "search", "--pause");
    const worker = project.start("worker", "search", "--json");
    await project.assay("sweep", "search", "--points", "6");
    const bad = await project.assay("sweep", "search", "--add", '{"z": 1}');
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('no parameter "z"');
    for (const point of ["{}", '{"x": 1}', '{"x": 99, "y": 0}']) {
      const outside = await project.assay("sweep", "search", "--add", point);
      expect(outside.code).toBe(2);
      expect(outside.stderr).toMatch(/"x"|"y"/);
    }
    await project.assay("sweep", "search", "--add", '{"x": 1, "y": -2}');
    const twice = await project.assay("sweep", "search", "--add", '{"y": -2, "x": 1}', "--json");
    expect(JSON.parse(twice.stdout)).toMatchObject({ points: 1 });
    expect(project.records("search")).toEqual([]);
    await project.assay("sweep", "search", "--resume");
    expect(JSON.parse((await worker.ended).stdout)).toMatchObject({ ok: 6, failed: 0 });
    expect(project.records("search")[0]).toMatchObject({ params: { x: 1, y: -2 }, metrics: { f: 0 } });
    await project.assay("sweep", "search", "--points", "60");
    await project.assay("sweep", "search", "--finish");
    const late = await project.assay("worker", "search");
    expect(late.stdout).toContain("finished by hand");
    expect(project.records("search")).toHaveLength(6);
  });
});

describe("a search that was left", () => {
  test("while it was paused resumes when it is run again", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nparams: {slow: 20}");
    const first = project.start("run", "search.yaml", "--jobs", "1", "--no-report");
    await waitFor("a run to end", () => recordsSoFar(project, "search").length > 0);
    await project.assay("pause", "search");
    const live = () => project.read("bench_runs/search/live.json");
    await waitFor("the search to be paused", () => JSON.parse(live()).state === "paused");
    first.kill("SIGINT");
    await first.ended;
    const again = await project.assay("run", "search.yaml", "--no-report");
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("it was paused");
    expect(endedIds(project, "search")).toHaveLength(24);
  });

  test("under another host name ends all the same, and says why it waits meanwhile", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nparams: {slow: 20, gate: go}");
    const first = project.start("run", "search.yaml", "--jobs", "2", "--no-report");
    await waitFor("two runs to be shown", () => shownRunning(project, "search").length === 2);
    first.kill("SIGKILL");
    await first.ended;
    const db = new Database(project.path("bench_runs/search/sweep.db"), { timeout: 60_000 });
    db.exec("UPDATE worker SET host = 'gone'");
    const lock = JSON.parse(project.read("bench_runs/search/lock.json"));
    project.write("bench_runs/search/lock.json", JSON.stringify({ ...lock, host: "gone" }));
    project.write("go", "");
    const next = project.start("run", "search.yaml", "--no-report");
    await waitFor("the waiting to be told", () => next.stderr.includes("on gone"));
    // A minute later.
    db.exec(
      "UPDATE beat SET at_ms = at_ms - 60000 WHERE worker IN (SELECT number FROM worker WHERE host = 'gone')",
    );
    db.close();
    const { code } = await next.ended;
    expect(code).toBe(0);
    expect(endedIds(project, "search")).toHaveLength(24);
  });

  test("by somebody who cancelled one of its runs does that run in the next launch only", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nparams: {slow: 1, gate: go}");
    const first = project.start("run", "search.yaml", "--jobs", "2", "--no-report", "--json");
    await waitFor("two runs to be shown", () => shownRunning(project, "search").length === 2);
    const { id } = shownRunning(project, "search")[0]!;
    await project.assay("cancel", "search", id);
    await waitFor("it to be cancelled", () => recordsSoFar(project, "search").length > 0);
    project.write("go", "");
    expect(JSON.parse((await first.ended).stdout)).toMatchObject({ ok: 23, cancelled: 1 });
    const again = await project.assay("run", "search.yaml", "--no-report", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: 1, skipped: 23 });
    expect(project.records("search").filter((record) => record.id === id)).toHaveLength(2);
  });
});

describe("several workers", () => {
  test("spend the budget once, not once each", async () => {
    await using project = await fixture("sweep");
    project.edit("programs.yaml", '"f": 1', '"f": 1, "cost_usd": 1');
    project.edit("programs.yaml", "seeds: 40", "seeds: 40\nlimits: {costUsd: 6}");
    await project.assay("sweep", "programs.yaml");
    const workers = [1, 2, 3].map(() => project.start("worker", "programs", "--json"));
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 1]);
    for (const { stdout } of ends) expect(JSON.parse(stdout)).toMatchObject({ stopped: "budget" });
    // What the three had taken when the sixth ended may end, too: one run each, and one that is prepared ahead.
    const count = project.records("programs").length;
    expect(count).toBeGreaterThanOrEqual(6);
    expect(count).toBeLessThan(6 + 3 * 2);
  });

  test("do every run once, whoever of them is killed whenever", async () => {
    await using project = await fixture("sweep");
    await project.assay("sweep", "many.yaml");
    const random = new RandomStream(1, "kills of workers");
    const start = () => project.start("worker", "many", "-q");
    const workers = [start(), start(), start()];
    for (let kills = 0; kills < 8; kills++) {
      const before = recordsSoFar(project, "many").length;
      // All of them may have ended before anybody looks again.
      const enough = Math.min(300, before + 1 + random.uniform(kills, 0) * 20);
      await waitFor("some runs to end", () => recordsSoFar(project, "many").length >= enough);
      workers.shift()!.kill("SIGKILL");
      workers.push(start());
    }
    for (const { ended } of workers) expect((await ended).code).toBe(0);
    const ids = endedIds(project, "many");
    expect(ids).toHaveLength(300);
    expect(new Set(ids).size).toBe(300);
  });

  test("end the program that a killed one left, and do its run again", async () => {
    await using project = await fixture("sweep");
    project.edit(
      "programs.yaml",
      "sleep 0.05",
      "sleep 0.05; [ -e stuck ] || { touch stuck; exec sleep 1000; }",
    );
    await project.assay("sweep", "programs.yaml");
    const dying = project.start("worker", "programs", "-q");
    await waitFor("the first program to hang", () => project.exists("stuck"));
    dying.kill("SIGKILL");
    await dying.ended;
    const { code } = await project.assay("worker", "programs", "--jobs", "2", "-q");
    expect(code).toBe(0);
    const ids = endedIds(project, "programs");
    expect(new Set(ids).size).toBe(40);
    expect(ids).toHaveLength(40);
  });

  test("refuse a study that is run otherwise, and a program that has changed", async () => {
    await using project = await fixture("sweep");
    await project.assay("sweep", "many.yaml");
    project.edit("bowl.ts", "always breaks", "never works");
    const changed = await project.assay("worker", "many");
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain("the program of many has changed");
    const none = await project.assay("worker", "search");
    expect(none.code).toBe(2);
  });
});

describe("early stopping", () => {
  test("ends runs that can't win, on record as stopped, with their series and their last value", async () => {
    await using project = await fixture("sweep");
    // Steps that come quicker than five a second are told several at once.
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nparams: {slow: 210, gate: go}");
    project.edit(
      "search.yaml",
      "  points: 24",
      "  points: 8\n  stop: {kind: hyperband, min_iter: 2, eta: 3}",
    );
    project.edit("search.yaml", "method: tpe", "method: random");
    project.env.TICKS = project.path("ticks.txt");
    const run = project.start("run", "search.yaml", "--jobs", "4", "--no-report", "--json");
    // Of four runs that all wait after their third step, the worse ones are to be ended.
    const stopped = await waitFor("a run to be stopped", () => {
      const found = recordsSoFar(project, "search").filter(({ outcome }) => outcome.status === "stopped");
      return found.length > 0 && found;
    });
    project.write("go", "");
    const { stdout, code } = await run.ended;
    expect(code).toBe(0);
    const ended = project.records("search").map(({ outcome }) => outcome.status);
    const stoppedEarly = ended.filter((status) => status === "stopped").length;
    expect(stoppedEarly).toBeGreaterThan(0);
    const counts = { ok: 8 - stoppedEarly, stoppedEarly, failed: 0, left: 0 };
    expect(JSON.parse(stdout)).toMatchObject(counts);
    const { stdout: told } = await project.assay("status", "search", "--json");
    expect(JSON.parse(told)).toMatchObject(counts);
    const { stdout: words } = await project.assay("status", "search");
    expect(words).toContain(`${counts.ok} ok, ${stoppedEarly} stopped early, 0 failed`);
    expect(project.lines("ticks.txt").length).toBeGreaterThan(0);
    for (const { id, params, outcome, metrics } of stopped) {
      const steps = project
        .lines(`bench_runs/search/runs/${id}/series.jsonl`)
        .map((line) => JSON.parse(line));
      expect(outcome.reason).toMatch(/^hyperband: its best by band \d+ is/);
      expect(project.lines("ticks.txt")).not.toContain(`${params.x} ${params.y} 1`);
      expect(metrics.f).toBe(steps.at(-1).f);
      expect(JSON.parse(project.read(`bench_runs/search/runs/${id}/meta.json`))).toMatchObject({
        status: "stopped",
      });
    }
  });

  test("cuts a point short that is worse on every seed that it shares with the best", async () => {
    await using project = await fixture("sweep");
    project.edit("search.yaml", "  points: 24", "  points: 6\n  stop: {kind: wilcoxon}");
    project.edit("search.yaml", "target: ./bowl.ts", "target: ./bowl.ts\nseeds: 20");
    project.edit("search.yaml", "method: tpe", "method: random");
    const { stdout } = await project.assay("run", "search.yaml", "--jobs", "1", "--no-report", "--json");
    const records = project.records("search");
    const { ok, stoppedEarly, left } = JSON.parse(stdout);
    expect({ ended: ok + stoppedEarly, left }).toEqual({ ended: records.length, left: 0 });
    const counts = new Map<string, number>();
    for (const { params } of records)
      counts.set(JSON.stringify(params), (counts.get(JSON.stringify(params)) ?? 0) + 1);
    expect(counts.size).toBe(6);
    expect(Math.max(...counts.values())).toBe(20);
    // Five pairs that all say the same are the fewest that a one-sided p below .1 can come from.
    expect(Math.min(...counts.values())).toBe(5);
  });
});
