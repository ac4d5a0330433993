import { describe, expect, test } from "vitest";
import type { Attempt } from "../../../src/core/run.ts";
import { describeResult, summariseColumn } from "../../../src/executors/result/describe-result.ts";
import { resultMarkdown, resultText } from "../../../src/executors/result/result-files.ts";
import { aRun } from "../../support/a-study.ts";

const facts = {
  name: "speeds",
  target: "noop",
  program: "noop@1",
  tags: ["quick"],
  notes: "just so",
  spec: { path: "/s.yaml", hash: "f".repeat(64) },
  environment: { os: "Linux 6", runtime: "Node", machine: "x64", processor: "a cpu", hostname: "here" },
  packages: { zod: "4" },
  vcs: {
    commit: "c".repeat(40),
    committedAt: "2026-01-02T03:04:05+00:00",
    branch: "main",
    dirty: true,
    diffHash: "d".repeat(64),
  },
};
const attempt: Attempt = {
  outcome: { status: "failed", owner: "agent", reason: "iteration 4 of 5: boom" },
  metrics: {},
  warnings: ["a | warning"],
  startedAtMs: Date.UTC(2026, 0, 2),
  wallMs: 1500,
  files: ["resources.jsonl", "sub/simulation.db"],
  iterations: {
    warmup: 1,
    durationMs: [10, 20, 30],
    metrics: { value: [1, null, 3] },
    ofRun: { cpu_seconds: 0.5 },
    failure: { index: 3, reason: "boom" },
    overheadNs: 40,
  },
};
const result = describeResult({
  run: aRun({ params: { n: 5 }, seed: 7 }),
  attempt,
  facts,
  iterations: { warmup: 1, measured: 5 },
});

describe("result.json", () => {
  test("has every key of the original tool's result.json", () => {
    expect(result).toMatchObject({
      name: "speeds",
      run_id: aRun().id,
      parameters: { n: 5 },
      iterations: { warmup: 1, measured: 5 },
      tags: ["quick"],
      notes: "just so",
      status: "failed",
      metrics: { duration_s: { mean: 0.02, p50: 0.02, p95: expect.closeTo(0.029, 12), p99: 0.0298 } },
      iteration_metrics: [
        { index: 0, duration_s: 0.01, metrics: { value: 1 } },
        { index: 1, duration_s: 0.02, metrics: { value: null } },
        { index: 2, duration_s: 0.03, metrics: { value: 3 } },
      ],
      environment: { os: "Linux 6", hostname: "here" },
      vcs: { commit: "c".repeat(40), branch: "main", dirty: true },
      artifacts: [
        { name: "resources.jsonl", type: "resource-samples", path: "out/resources.jsonl" },
        { name: "simulation.db", type: "database", path: "out/sub/simulation.db" },
      ],
    });
  });

  test("also says what makes it repeatable, and how sure its numbers are", () => {
    expect(result).toMatchObject({
      seed: 7,
      spec: { hash: facts.spec.hash },
      program: "noop@1",
      started_at: "2026-01-02T00:00:00.000Z",
      ended_at: "2026-01-02T00:00:01.500Z",
      packages: { zod: "4" },
      vcs: { diff_hash: facts.vcs.diffHash },
      failed_iteration: { index: 3, reason: "boom" },
      timing_overhead_ns: 40,
      metrics: { value: { n: 2, mean: 2 }, cpu_seconds: { n: 1, mean: 0.5, sd: null, low: null } },
    });
  });

  test("a column gives its interval by Student's t and counts its outliers", () => {
    const summary = summariseColumn([1, 2, 3, 4, 5])!;
    // t(0.975, 4) = 2.7764451 from tables; the standard error is sqrt(2.5 / 5).
    expect(summary.low).toBeCloseTo(3 - 2.7764451 * Math.sqrt(0.5), 6);
    expect(summary.high).toBeCloseTo(3 + 2.7764451 * Math.sqrt(0.5), 6);
    expect(summary).toMatchObject({ min: 1, max: 5, outliers: 0, sd: Math.sqrt(2.5) });
    expect(summariseColumn([1, 2, 1, 2, 1, 100])!.outliers).toBe(1);
    expect(summariseColumn([null])).toBeNull();
  });
});

test("result.md says the same to people", () => {
  const text = resultMarkdown(result);
  for (const part of [
    "# speeds: ",
    "**failed**",
    "just so",
    "| n | 5 |",
    "iteration 4 failed: boom",
    "| duration_s | 3 |",
    "| cpu_seconds | 0.5 |",
    "- a | warning",
    "out/resources.jsonl",
    "with uncommitted changes",
  ])
    expect(text).toContain(part);
});

test("the text of result.json has an iteration a line, whatever the notes say", () => {
  const sly = { ...result, notes: '\n  "iteration_metrics": []' };
  const text = resultText(sly);
  expect(JSON.parse(text)).toEqual(sly);
  expect(text).toContain('\n    {"index":1,"duration_s":0.02,"metrics":{"value":null}},\n');
  expect(JSON.parse(resultText({ ...sly, iteration_metrics: [] })).iteration_metrics).toEqual([]);
});

test("very many iterations are summed up whole, and listed up to a bound", () => {
  const durationMs = Array.from({ length: 100_005 }, (_, i) => i);
  const many = describeResult({
    run: aRun(),
    attempt: { ...attempt, iterations: { warmup: 0, durationMs, metrics: {}, overheadNs: null } },
    facts,
    iterations: { warmup: 0, measured: 100_005 },
  });
  expect(many.iteration_metrics).toHaveLength(100_000);
  expect(many).toMatchObject({
    iterations_left_out: 5,
    metrics: { duration_s: { n: 100_005, max: 100.004 } },
  });
  expect(resultMarkdown(many)).toContain("100005 of 100005 measured");
});
