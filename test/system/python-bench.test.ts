import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { totalOf } from "../../src/plots/flame-chart.ts";
import { callsOfPython } from "../../src/read/read-measured.ts";
import { hasPython } from "../support/example.ts";
import { fixture } from "../support/fixture.ts";

interface Result {
  metrics: Record<string, { n: number; mean: number }>;
  failed_iteration: { index: number; reason: string } | null;
  timing_overhead_ns: number;
  environment: { python: Record<string, unknown> };
  artifacts: { name: string; type: string }[];
}

describe.skipIf(!hasPython())("a benchmark in Python", () => {
  test("runs all iterations in one process, timed alone, with its profile, its memory and its environment", async () => {
    await using project = await fixture("python-bench", {
      "spec.yaml": `experiment: ./bench.py:SortBenchmark
params: {size: [100, 200], order: reversed}
iterations: {warmup: 2, measured: 5}
instrumentation: [timing, psutil, {name: cprofile, top_n: 3}, tracemalloc]
`,
    });
    const ran = await project.assay("run", "spec.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const first = project.records("spec").find(({ params }) => params.size === 100);
    expect(first!.metrics).toMatchObject({ size: 100, allocated_peak_bytes: expect.any(Number) });
    expect(first!.metrics).toHaveProperty("duration_ms");
    expect(first!.metrics).toHaveProperty("rss_bytes_peak");
    expect(first!.labels).toEqual({ torn_down: "yes" });
    const dir = `bench_runs/spec/runs/${first!.id}`;
    const result = JSON.parse(project.read(`${dir}/result.json`)) as Result;
    expect(result.metrics.duration_s).toMatchObject({ n: 5 });
    expect(result.environment.python).toMatchObject({
      version: expect.stringMatching(/^3\./),
      packages: expect.any(Object),
      overhead_ns_per_iteration: expect.any(Number),
    });
    expect(result.artifacts).toContainEqual(expect.objectContaining({ type: "cpu-profile" }));
    const top = JSON.parse(project.read(`${dir}/out/cprofile.top.json`));
    const flame = callsOfPython(project.read(`${dir}/out/cprofile.calls.json`));
    expect(totalOf(flame)).toBeGreaterThan(0);
    expect(top.by_total[0]).toMatchObject({ function: "execute_once", calls: 5 });
    expect(project.lines(`${dir}/series.jsonl`)).toHaveLength(5);
  });

  test("moves between two cores while it is measured, so that what one has learned does not stand for a start", async () => {
    await using project = await fixture("python-bench", {
      "cores.py": `import os


def bench_cores():
    sum(range(100_000))
    with open("/proc/self/stat") as file:
        core = int(file.read().rpartition(")")[2].split()[36])
    return {"core": core, "allowed": len(os.sched_getaffinity(0))}
`,
      "cores.yaml": "experiment: ./cores.py\niterations: {warmup: 1, measured: 60}\ninterleave: false\n",
    });
    const ran = await project.assay("run", "cores.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const { metrics } = project.onlyRecord("cores");
    expect(metrics.allowed).toBe(availableParallelism());
    expect((metrics.core_sd ?? 0) > 0).toBe(availableParallelism() > 1);
    const launch = JSON.parse(project.read("bench_runs/cores/study.json")).launches[0];
    expect(launch.machine.python).toMatch(/^3\./);
  });

  test("is a function, a class or the original's class, with parameters that are checked", async () => {
    await using project = await fixture("python-bench", {
      "function.yaml": "target: ./bench.py:count_up\nmatrix: {n: [10, 20]}\nseeds: [3]\nartifacts: none\n",
      "original.yaml": `experiment: ./original.py:example_benchmark
params: {data_size: 20, parameters: {custom_setting: true}}
`,
      "wrong.yaml": "target: ./bench.py:SortBenchmark\nparams: {size: 1.5}\n",
      "several.yaml": "target: ./bench.py\n",
    });
    const ran = await project.assay("run", "function.yaml", "--no-report");
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    // Arms take turns, in an order of their own.
    const totals = project.records("function").map(({ metrics }) => metrics);
    expect(totals.sort((a, b) => a.total! - b.total!)).toEqual([
      { total: 45, seed_seen: 3 },
      { total: 190, seed_seen: 3 },
    ]);
    expect(await project.assay("run", "original.yaml", "--no-report")).toMatchObject({ code: 0 });
    expect(project.onlyRecord("original").metrics).toMatchObject({ data_size: 20, custom: 1 });
    const wrong = await project.assay("plan", "wrong.yaml");
    expect(wrong.stderr).toContain(
      "wrong.yaml:2:10 params.size: parameter size of target SortBenchmark: expected",
    );
    const several = await project.assay("plan", "several.yaml");
    expect(several.stderr).toContain("several benchmarks: SortBenchmark, DictionaryBenchmark; say which");
  });

  test("keeps what came before an iteration that failed, and tears down", async () => {
    await using project = await fixture("python-bench", {
      "fails.yaml": `experiment: ./bench.py:SortBenchmark
params: {fail_at: 2}
iterations: 4
`,
    });
    expect(await project.assay("run", "fails.yaml", "--no-report")).toMatchObject({ code: 1 });
    const record = project.onlyRecord("fails");
    expect(record).toMatchObject({
      outcome: { status: "failed", owner: "agent", reason: "iteration 3 of 4: ValueError: as it was told" },
      labels: { torn_down: "yes" },
    });
    const result = JSON.parse(project.read(`bench_runs/fails/runs/${record.id}/result.json`)) as Result;
    expect(result.failed_iteration).toEqual({ index: 2, reason: "ValueError: as it was told" });
    expect(result.metrics.duration_s).toMatchObject({ n: 2 });
  });

  test("runs again when a module changed that it imports", async () => {
    await using project = await fixture("python-bench", {
      "study.yaml": "target: ./bench.py:SortBenchmark\n",
    });
    const run = () => project.assay("run", "study.yaml", "--no-report");
    expect(await run()).toMatchObject({ code: 0 });
    await run();
    expect(project.records("study")).toHaveLength(1);
    project.edit("helpers.py", "rng.random()", "rng.random() / 2");
    await run();
    expect(project.records("study")).toHaveLength(2);
  });
});
