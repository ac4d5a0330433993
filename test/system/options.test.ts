import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";

describe("options of run", () => {
  test("-p overrides a parameter, an axis too", async () => {
    await using project = await fixture("sums");
    expect((await project.run("study.yaml", "-q", "-p", "b=5", "-p", "a=7")).code).toBe(0);
    expect(project.records("sums").map(({ metrics }) => metrics.sum)).toEqual([12, 12]);
  });

  test("--seeds takes lists and ranges", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q", "--seeds", "4,7..9", "--only", "a == 1");
    expect(
      project
        .records("sums")
        .map(({ seed }) => seed)
        .sort(),
    ).toEqual([4, 7, 8, 9]);
  });

  test("--only keeps the runs for which the condition holds", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q", "--only", "a == 2 && seed > 1");
    expect(project.records("sums").map(({ params, seed }) => [params.a, seed])).toEqual([[2, 2]]);
  });

  test("--exp-name and --out-root say where results go, and the reading commands follow", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q", "--exp_name", "night", "--out_root", "kept");
    expect(project.lines("kept/night/journal.jsonl")).toHaveLength(4);
    expect(project.exists("bench_runs")).toBe(false);
    expect((await project.assay("status", "night", "--out-root", "kept")).stdout).toContain("4 ok");
    expect((await project.assay("status", "kept/night")).stdout).toContain("4 ok");
  });

  test("--rerun does all of them again, or one by its id", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const all = await project.run("study.yaml", "--rerun", "all");
    expect(all.stderr.match(/: asked for \(--rerun all\)/g)).toHaveLength(4);
    expect(project.records("sums").map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    const { id } = project.records("sums").find(({ params, seed }) => params.a === 1 && seed === 1)!;
    const one = await project.run("study.yaml", "--rerun", id.slice(-12));
    expect(one.stderr).toContain("run a=1, seed 1: asked for (--rerun)");
    expect(project.records("sums").slice(8)).toMatchObject([{ id, attempt: 3 }]);
    expect(project.list(`bench_runs/sums/runs/${id}/earlier`).sort()).toEqual(["1", "2"]);
    const none = await project.run("study.yaml", "--rerun", "nonsense");
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no run of this study has that id"),
    });
  });

  test("--fresh starts anew and keeps the old results beside", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const fresh = await project.run("study.yaml", "--fresh");
    expect(fresh.stdout).toContain("4 ok of 4 runs");
    const aside = project.list("bench_runs").find((name) => name.startsWith("sums@"))!;
    expect(fresh.stdout).toContain(`the results so far are in ${project.path(`bench_runs/${aside}`)}`);
    expect(project.lines(`bench_runs/${aside}/journal.jsonl`)).toHaveLength(4);
    expect(project.records("sums")).toHaveLength(4);
  });

  test("--fresh twice in one second keeps both of the old results", async () => {
    await using project = await fixture("sums", {
      "study.yaml": "{study: sums, target: noop, artifacts: none, seeds: 1}",
    });
    for (let i = 0; i < 4; i++) {
      expect((await project.assay("run", "study.yaml", "-q", "--fresh", "--no-report")).code).toBe(0);
    }
    expect(project.list("bench_runs")).toHaveLength(4);
  });

  test("--jobs bounds how many run at once", async () => {
    await using project = await fixture("sums");
    // Each run notes how many are under way when it starts; with a file "pairs" the first ones wait for another.
    project.write(
      "sum.sh",
      `mkdir -p now; : >"now/$ASSAY_RUN_ID"; ls now | wc -l >>most.txt
while [ -e pairs ]; do [ "$(ls now | wc -l)" -gt 1 ] && rm -f pairs || sleep 0.02; done
ls now | wc -l >>most.txt; rm "now/$ASSAY_RUN_ID"`,
    );
    await project.run("study.yaml", "-q", "--jobs", "1", "--seeds", "1..4");
    expect(new Set(project.lines("most.txt").map(Number))).toEqual(new Set([1]));
    project.write("pairs", "");
    await project.run("study.yaml", "-q", "--jobs", "4", "--seeds", "1..8", "--rerun", "all");
    const most = Math.max(...project.lines("most.txt").map(Number));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  test("--max-cost starts nothing more once the study has cost that much, over launches too", async () => {
    await using project = await fixture("sums");
    project.write("sum.sh", `echo '{"cost_usd": 0.4}' >"$ASSAY_OUT_DIR/metrics.json"`);
    const ran = await project.run("study.yaml", "--max-cost", "1", "--jobs", "1", "--seeds", "1..10");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("stopped early (budget)");
    expect(ran.stderr).toMatch(/the launch has cost \$1\.\d0 of \$1/);
    expect(ran.stdout).toContain("the same command resumes it with a new budget");
    const ended = project.records("sums").length;
    expect(ended).toBeGreaterThanOrEqual(3);
    // One that was made ready in advance may still have run.
    expect(ended).toBeLessThanOrEqual(4);
    project.edit("study.yaml", "seeds:", "limits: {totalCostUsd: 1}\nseeds:");
    const again = await project.run("study.yaml", "--max-cost", "1", "--jobs", "1", "--seeds", "1..10");
    expect(project.records("sums")).toHaveLength(ended);
    expect(again.stderr).toMatch(/the study has cost \$1\.\d0 of \$1/);
    expect(again.stdout).toContain("raise limits.totalCostUsd to resume it");
  });

  test("--only with the money spent holds nothing back that was meant", async () => {
    await using project = await fixture("program", {
      "study.yaml":
        "{study: costly, target: {command: [sh, program.sh]}, seeds: 4, limits: {totalCostUsd: 2}}",
      "program.sh": 'echo \'{"cost_usd": 1}\' >"$ASSAY_OUT_DIR/metrics.json"',
    });
    const { code, stdout } = await project.run("study.yaml", "--only", "seed <= 2");
    expect(stdout).toContain("2 ok");
    expect(code).toBe(0);
    expect((await project.run("study.yaml")).code).toBe(1);
  });

  test("--fail-fast stops at the first failure; without it the study goes on", async () => {
    await using project = await fixture("sums");
    project.write("sum.sh", '[ "$3" = 1 ] && exit 4; [ "$3" -gt 2 ] && exec sleep 60');
    const ran = await project.run("study.yaml", "--fail_fast", "--jobs", "2", "--seeds", "1..20");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("(--fail-fast)");
    expect(ran.stdout).toContain("stopped early (fail-fast)");
    project.write("sum.sh", '[ "$3" = 1 ] && exit 4; exit 0');
    const kept = await project.run("study.yaml", "--seeds", "1..3");
    expect(kept.stdout).toContain("4 ok, 2 failed of 6 runs");
  });

  test("-q prints only the result; -v a line for each end, -vv for each start too", async () => {
    await using project = await fixture("sums");
    const quiet = await project.run("study.yaml", "-q", "--exp-name", "q");
    expect(quiet).toMatchObject({ code: 0, stderr: "" });
    expect(quiet.stdout).toMatch(/^q: 4 ok of 4 runs in [^\n]+\n$/);
    const normal = await project.run("study.yaml", "--exp-name", "n");
    expect(normal.stderr).toMatch(/^4 runs -> bench_runs\/n\n/);
    expect(normal.stderr).not.toMatch(/^(ok|run) /m);
    const verbose = await project.run("study.yaml", "-v", "--exp-name", "v");
    expect(verbose.stderr.match(/^ok a=\d, seed \d in [\d.]+ m?s/gm)).toHaveLength(4);
    expect(verbose.stderr).not.toMatch(/^run /m);
    const more = await project.run("study.yaml", "-vv", "--exp-name", "vv");
    expect(
      more.stderr.match(/^run a=\d, seed \d \(a\d__seed\d__baseline__[0-9a-f]{12}\): new$/gm),
    ).toHaveLength(4);
  });

  test("--resume says explicitly what is the default", async () => {
    await using project = await fixture("sums");
    await project.run("study.yaml", "-q");
    const again = await project.run("study.yaml", "--resume");
    expect(again.stdout).toContain("0 ok, 4 done before of 4 runs");
    expect(project.lines("ran.txt")).toHaveLength(4);
  });
});
