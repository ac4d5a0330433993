import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCsv } from "../../src/core/escape.ts";
import { fixture } from "../support/fixture.ts";

describe("a matrix sweep in the original tool's form", () => {
  test("gives that tool's folders and the columns of its runs.csv", async () => {
    await using project = await fixture("sweep");
    const ran = await project.assay("run", "--config", "smoke.json", "--jobs", "2");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("smoke: 8 ok of 8 runs") });
    const ids = project.list("bench_runs/smoke/runs").sort();
    expect(ids).toHaveLength(8);
    for (const id of ids) {
      expect(id).toMatch(/^(fifo_cheapest|full)__wf5__seed[12]__(baseline|no_hedge)__[0-9a-f]{12}$/);
      const dir = `bench_runs/smoke/runs/${id}`;
      expect(project.list(dir).sort()).toEqual(["meta.json", "out", "stderr.txt", "stdout.txt"]);
      expect(project.list(`${dir}/out`).sort()).toEqual([
        "summary.csv",
        "tiers.csv",
        "trace.json",
        "workflows.csv",
      ]);
    }
    const [header, ...rows] = project.lines("bench_runs/smoke/aggregate/runs.csv");
    expect(rows).toHaveLength(8);
    expect(header!.split(",")).toEqual(
      expect.arrayContaining([
        ..."run_id policy workflows pdfs iters subqueries seed time_scale enable_model_routing".split(" "),
        ..."heavy_tail_prob heavy_tail_mult ablation_name ablation_flags disable_hedging".split(" "),
        ..."disable_escalation disable_dag_priority".split(" "),
        ..."makespan_mean_ms makespan_p50_ms makespan_p95_ms makespan_p99_ms cost_mean cost_p50".split(" "),
        ..."llm_provider_tier0_queue_wait_p95_ms embed_provider_tier0_queue_wait_p95_ms".split(" "),
        ..."llm_provider_tier0_utilization embed_provider_tier0_in_flight_avg".split(" "),
        ..."exit_code wall_time_s run_dir start_time_unix_s end_time_unix_s".split(" "),
      ]),
    );
    const table = parseCsv(project.read("bench_runs/smoke/aggregate/runs.csv"));
    for (const { ablation_name, ablation_flags, disable_hedging, disable_escalation } of table)
      expect([ablation_flags, disable_hedging, disable_escalation]).toEqual(
        ablation_name === "baseline" ? ["", "false", "false"] : ["--disable_hedging", "true", "false"],
      );
    await project.assay("export", "smoke", "--from", "folders", "--out", "folders.csv");
    const byId = (rows: typeof table) => rows.toSorted((a, b) => (a.run_id! < b.run_id! ? -1 : 1));
    expect(byId(parseCsv(project.read("folders.csv")))).toEqual(byId(table));
    expect(project.exists("bench_runs/smoke/report/index.html")).toBe(true);
  });

  test("takes the original tool's lines: its default file, a report by its table, and a word on sweep", async () => {
    await using project = await fixture("sweep");
    project.write("bench/experiments/default.json", project.read("smoke.json"));
    const ran = await project.assay("run", "--jobs", "2", "--no-report");
    expect(ran.stderr).toContain("no file named: using bench/experiments/default.json");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("smoke: 8 ok of 8 runs") });
    const report = await project.assay("report", "--runs_csv", "bench_runs/smoke/aggregate/runs.csv");
    expect(report).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("bench_runs/smoke/report/index.html"),
    });
    const sweep = await project.assay("sweep", "--config", "smoke.json");
    expect(sweep).toMatchObject({ code: 2, stderr: expect.stringContaining("assay run smoke.json runs it") });
  });

  test("calls the program with its arguments and flags, and says so in meta.json", async () => {
    await using project = await fixture("sweep");
    await project.assay("run", "smoke.json", "-q");
    const id = project
      .list("bench_runs/smoke/runs")
      .find((name) => name.startsWith("full__wf5__seed2__no_hedge"))!;
    const dir = `bench_runs/smoke/runs/${id}`;
    const words = project.read(`${dir}/stdout.txt`).trim();
    for (const word of [
      "--policy full",
      "--workflows 5",
      "--pdfs 10",
      "--heavy_tail_prob 0.02",
      "--seed 2",
    ]) {
      expect(words).toContain(word);
    }
    expect(words).toContain("--enable_model_routing ");
    expect(words).toContain("--disable_hedging");
    const meta = JSON.parse(project.read(`${dir}/meta.json`));
    expect(meta).toMatchObject({
      run_id: id,
      params: { policy: "full", workflows: 5, seed: 2 },
      ablation_name: "no_hedge",
      ablation_flags: ["--disable_hedging"],
      cwd: project.dir,
      exit_code: 0,
    });
    expect(meta.cmd[0]).toBe(project.path("fake_sim.sh"));
    expect(meta.end_time_unix_s - meta.start_time_unix_s).toBeCloseTo(meta.wall_time_s, 3);
  });

  test("options may be written with that tool's underscores", async () => {
    await using project = await fixture("sweep");
    await project.assay(
      "run",
      "--config",
      "smoke.json",
      "--jobs",
      "2",
      "--resume",
      "--fail_fast",
      "--out_root",
      "elsewhere",
      "--exp_name",
      "mine",
    );
    const collected = await project.assay("collect", "--exp_dir", "elsewhere/mine", "--out_csv", "all.csv");
    expect(collected.stdout).toBe("8 rows from the journal -> all.csv\n");
    expect((await project.assay("report", "--exp_dir", "elsewhere/mine", "--out_dir", "page")).code).toBe(0);
    expect(project.exists("page/index.html")).toBe(true);
  });

  test("collect gives the same table from the folders alone, as another tool wrote them", async () => {
    await using project = await fixture("sweep");
    await project.assay("run", "smoke.json", "-q");
    for (const name of ["journal.jsonl", "study.json", "aggregate"]) {
      rmSync(project.path(`bench_runs/smoke/${name}`), { recursive: true });
    }
    expect((await project.assay("collect", "smoke")).stdout).toContain("8 rows from the folders");
    const [header] = project.lines("bench_runs/smoke/aggregate/runs.csv");
    expect(header).toContain("llm_provider_tier0_queue_wait_p95_ms");
  });

  test("a program that does not exist is an error with both remedies", async () => {
    await using project = await fixture("sweep");
    rmSync(project.path("fake_sim.sh"));
    const refused = await project.assay("run", "smoke.json");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("the program ./fake_sim.sh does not exist");
    expect(refused.stderr).toContain("Build it first, or leave sim_binary");
  });

  test("an unknown key is an error with a suggestion", async () => {
    await using project = await fixture("sweep");
    project.edit("smoke.json", '"common_args"', '"comon_args"');
    const refused = await project.assay("run", "smoke.json");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "common_args"?'),
    });
    expect(refused.stderr).toMatch(/smoke\.json:5:3 /);
  });

  test("without sim_binary the simulator that ships with Assay runs", async () => {
    await using project = await fixture("sweep");
    project.edit("smoke.json", '  "sim_binary": "./fake_sim.sh",\n', "");
    const ran = await project.assay("run", "smoke.json");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("8 ok of 8 runs") });
    const [id] = project.list("bench_runs/smoke/runs");
    expect(project.list(`bench_runs/smoke/runs/${id}/out`)).toEqual(
      expect.arrayContaining(["summary.csv", "tiers.csv"]),
    );
  });
});
