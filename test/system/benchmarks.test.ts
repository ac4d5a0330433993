import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

const result = (project: Project, study: string, id: string) =>
  JSON.parse(project.read(`bench_runs/${study}/runs/${id}/result.json`));

describe("benchmarks", () => {
  test("what goes wrong is one failed record or one warning, and the rest goes on", async () => {
    await using project = await fixture("bench", {
      "spec.yaml": `experiment: work
params: {how: [well, setup throws, iteration throws, teardown hangs, nan]}
iterations: {warmup: 1, measured: 3}
output_dir: bench_runs/spec`,
      "native.yaml": `{study: native, target: ./work.mjs, matrix: {how: [well, teardown hangs]}, iterations: 3,
limits: {timeout: 3s, grace: 12s}, executor: {jobs: 1}}`,
    });
    const native = await project.run("native.yaml");
    expect(native).toMatchObject({ code: 1, stdout: expect.stringContaining("1 ok, 1 failed of 2 runs") });
    const hung = project.records("native").find(({ params }) => params.how === "teardown hangs")!;
    expect(hung).toMatchObject({
      outcome: { status: "timeout" },
      metrics: { calls: 2 },
      warnings: [expect.stringContaining("teardown still running")],
    });

    project.edit("spec.yaml", "teardown hangs, ", "");
    const ran = await project.run("spec.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 1 });
    const records = Object.fromEntries(project.records("spec").map((record) => [record.params.how, record]));
    expect(records["setup throws"]!.outcome).toMatchObject({ reason: "setup failed: no database" });
    expect(records["iteration throws"]).toMatchObject({
      outcome: { status: "failed", owner: "agent", reason: "iteration 2 of 3: boom" },
      metrics: { calls: 2 },
    });
    expect(records.well).toMatchObject({ outcome: { status: "ok" }, metrics: { calls: 3, calls_sd: 1 } });
    expect(records.nan).toMatchObject({
      metrics: { nan: null },
      warnings: expect.arrayContaining(["metric nan is NaN: kept as unknown"]),
    });
    const failed = records["iteration throws"]!;
    expect(result(project, "spec", failed.id)).toMatchObject({
      status: "failed",
      failed_iteration: { index: 1, reason: "boom" },
      iteration_metrics: [{ index: 0, metrics: { calls: 2 } }],
    });
    expect(project.read(`bench_runs/spec/runs/${failed.id}/stdout.txt`)).toBe("torn down after 3\n");
  });

  test("a result stands for itself, in a thread as in a process", async () => {
    await using project = await fixture("bench", {
      "spec.yaml": `experiment: ./work.mjs
params: {size: 7}
iterations: {warmup: 1, measured: 4}
tags: [quick]
notes: how it is
seed: 42`,
    });
    for (const executor of ["thread", "process"]) {
      const ran = await project.run("spec.yaml", "--executor", executor, "--exp-name", executor);
      expect(ran.code, ran.stderr).toBe(0);
      const record = project.onlyRecord(executor);
      const found = result(project, executor, record.id);
      expect(found).toMatchObject({
        name: executor,
        run_id: record.id,
        parameters: { size: 7 },
        seed: 42,
        iterations: { warmup: 1, measured: 4 },
        tags: ["quick"],
        notes: "how it is",
        status: "ok",
        metrics: { calls: { n: 4, mean: 3.5, min: 2, max: 5 }, duration_s: { n: 4 } },
        environment: { runtime: expect.stringContaining(process.version), hostname: expect.any(String) },
        spec: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        packages: { assay: expect.any(String) },
      });
      expect(found.iteration_metrics).toHaveLength(4);
      // What reading the clock adds is part of every duration, and so less than any.
      expect(found.timing_overhead_ns).toBeGreaterThan(0);
      expect(found.timing_overhead_ns).toBeLessThan(found.metrics.duration_s.max * 1e9);
      expect(record.metrics.duration_ms).toBeCloseTo(found.metrics.duration_s.mean * 1000, 9);
      expect(project.read(`bench_runs/${executor}/runs/${record.id}/result.md`)).toContain("how it is");
      const series = project.read(`bench_runs/${executor}/runs/${record.id}/series.jsonl`).trim().split("\n");
      expect(series.map((line) => JSON.parse(line))).toMatchObject(
        [2, 3, 4, 5].map((calls, step) => ({ step, calls })),
      );
    }
    const again = await project.assay("plan", "spec.yaml", "--exp-name", "thread", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ pending: 0 });
    project.edit("spec.yaml", "measured: 4", "measured: 5");
    const changed = await project.assay("plan", "spec.yaml", "--exp-name", "thread", "--runs", "--json");
    expect(JSON.parse(changed.stdout).runs[0].reason).toBe("iterations changed");
  });

  test("one broken experiment of several is told, and the others run", async () => {
    await using project = await fixture("bench", {
      "all.yaml": `experiments:
  - {experiment: work, params: {size: [1, 2]}}
  - {experiment: broken}
  - {experiment: wrk}
  - {experiment: ./work.mjs, params: {size: 0}, output_dir: bench_runs/small}
iterations: {measured: 2}`,
      "broken.ts": "throw new Error('not today');",
    });
    const ran = await project.run("all.yaml");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/broken\.ts failed to load: not today/);
    expect(ran.stderr).toMatch(
      /all\.yaml:4:\d+ experiments\.2\.experiment: there is no target "wrk"\. Did you mean "work"\?/,
    );
    expect(ran.stderr).toMatch(/experiments\.3\.params\.size.*at least 1, got 0/);
    expect(ran.stderr).not.toMatch(/^\s+at /m);
    expect(ran.stdout).toContain("1 study, and 3 that could not start");
    expect(project.records("all/work")).toHaveLength(2);
  });

  test("arms take turns when they are asked to", async () => {
    await using project = await fixture("bench", {
      "spec.yaml": `experiment: work
sweep: {size: [1, 2, 3]}
iterations: {measured: 4}
interleave: true`,
    });
    expect((await project.run("spec.yaml")).code).toBe(0);
    const turns = project.records("spec").map(({ params, repeat }) => ({ size: params.size, repeat }));
    expect(turns.map(({ repeat }) => repeat)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    for (let round = 0; round < 4; round++)
      expect(new Set(turns.slice(3 * round, 3 * round + 3).map(({ size }) => size)).size).toBe(3);
  });
});

describe.runIf(process.platform === "linux")("instruments", () => {
  test("measure a module around its body, and leave their files with the run", async () => {
    await using project = await fixture("bench", {
      "study.yaml": `{study: s, target: ./work.mjs, params: {spin_ms: 60}, iterations: 4, plugins: [./calls-instrument.ts],
instruments: [timing, {name: resources, interval_ms: 20}, {name: cpu-profile, top_n: 5}, heap,
{name: event-loop-delay, resolution_ms: 5}, {name: turns, by: 3}]}`,
    });
    const ran = await project.run("study.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    const record = project.onlyRecord("s");
    const { metrics } = record;
    // The body spins for 60 ms, and no instrument adds to that what it takes itself.
    expect(metrics.duration_ms).toBeGreaterThanOrEqual(60);
    expect(metrics.turns).toBe(3);
    expect(metrics.heap_allocated_bytes).toBeGreaterThan(100_000);
    expect(metrics.gc_count).toBeGreaterThanOrEqual(0);
    expect(metrics.event_loop_delay_max_ms).toBeGreaterThan(10);
    expect(metrics.rss_bytes_peak).toBeGreaterThanOrEqual(metrics.rss_bytes_max as number);
    expect(metrics.cpu_seconds).toBeGreaterThan(0.1);
    const out = `bench_runs/s/runs/${record.id}/out`;
    const samples = project.read(`${out}/resources.jsonl`).trim().split("\n");
    // The last one is taken when the body has ended; those before it while it runs.
    expect(samples).toHaveLength(metrics.resource_samples as number);
    expect(samples.length).toBeGreaterThan(1);
    expect(Object.keys(JSON.parse(samples[0]!))).toEqual([
      "ts",
      "cpu_percent",
      "rss_bytes",
      "read_bytes",
      "write_bytes",
    ]);
    const profile = JSON.parse(project.read(`${out}/cpu-profile.cpuprofile`));
    expect(profile).toMatchObject({ nodes: expect.any(Array), samples: expect.any(Array) });
    const top = JSON.parse(project.read(`${out}/cpu-profile.top.json`));
    expect(top.by_total.length).toBe(5);
    expect(JSON.stringify(top)).toContain("work.mjs");
  });

  test("measure a program with what it starts, launch by launch", async () => {
    await using project = await fixture("bench", {
      "study.yaml": `{study: s, target: {command: [node, program.mjs, "\${out_dir}"]}, iterations: {warmup: 1, measured: 2},
instruments: [timing, {name: psutil, interval_ms: 20}, cprofile]}`,
    });
    const ran = await project.run("study.yaml");
    expect(ran.code, ran.stderr).toBe(0);
    const record = project.onlyRecord("s");
    expect(record.metrics).toMatchObject({ score: 5 });
    expect(record.metrics.duration_ms).toBeGreaterThan(250);
    expect(record.metrics.cpu_seconds).toBeGreaterThan(0.05);
    // Node alone takes more than 20 MB; the shell that starts it less than 5.
    expect(record.metrics.rss_bytes_peak).toBeGreaterThan(20e6);
    const out = readdirSync(project.path(`bench_runs/s/runs/${record.id}/out`));
    expect(out).toEqual(
      expect.arrayContaining([
        "cpu-profile.cpuprofile",
        "cpu-profile-1.top.json",
        "resources.jsonl",
        "resources-1.jsonl",
      ]),
    );
    expect(result(project, "s", record.id).iteration_metrics).toHaveLength(2);
  });

  test("a program that takes its folder away loses the file of samples, and is measured on", async () => {
    await using project = await fixture("bench", {
      "study.yaml": `{study: s, target: {command: [sh, clean.sh, "\${out_dir}"]}, instruments: [{name: resources, interval_ms: 10}]}`,
      // Two hundred looks fall into its last two seconds; one of them is enough.
      "clean.sh": `while [ ! -s "$1/resources.jsonl" ]; do sleep 0.01; done; rm -r "$1"; sleep 2`,
    });
    const ran = await project.run("study.yaml");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("1 ok of 1 run") });
    const record = project.onlyRecord("s");
    expect(record.warnings).toContainEqual(
      expect.stringContaining("resources.jsonl ends before the run does"),
    );
    expect(record.metrics.resource_samples).toBeGreaterThan(1);
  });

  test("a program that is no Node program has no profile, which is said", async () => {
    await using project = await fixture("bench", {
      "study.yaml": "{study: s, target: {command: [ls]}, instruments: [cpu-profile]}",
    });
    expect((await project.run("study.yaml")).code).toBe(0);
    expect(project.onlyRecord("s").warnings).toEqual([expect.stringContaining("wrote no profile")]);
  });
});
