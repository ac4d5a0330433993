import { describe, expect, test } from "vitest";
import { StudyMetrics, serveMetrics, workerFamilies } from "../../src/cli/metrics.ts";
import { metricsAddress } from "../../src/cli/read-option.ts";
import { METRICS_TYPE, metricsText } from "../../src/core/open-metrics.ts";
import type { WorkerRecord } from "../../src/fleet/registry.ts";
import { aRecord, aRun } from "../support/a-study.ts";
import { freePort } from "../support/free-port.ts";
import { parseMetrics } from "../support/parse-metrics.ts";

describe("the metrics of a study", () => {
  test("count what happened, and parse", () => {
    const metrics = new StudyMetrics('nightly "a\\b"\nc');
    metrics.handle({ kind: "planned", total: 10, finished: 4, studyDir: "/x" });
    const run = aRun();
    metrics.handle({ kind: "started", run, reason: "new" });
    metrics.handle({ kind: "retrying", run, reason: "x", waitMs: 1 });
    const tokens = { total_output_tokens: 7, tokens_input: 5, avg_tokens_per_turn: 99, score: 1 };
    metrics.handle({ kind: "ended", record: aRecord({ costUsd: 0.1, metrics: tokens }) });
    metrics.handle({ kind: "ended", record: aRecord({ costUsd: 0.2, outcome: { status: "timeout" } }) });
    metrics.handle({ kind: "started", run, reason: "new" });
    const read = parseMetrics(metricsText(metrics.families()));
    const study = 'nightly "a\\b"\nc';
    const value = (name: string, labels = {}) =>
      read.find(
        (one) => one.name === name && JSON.stringify(one.labels) === JSON.stringify({ study, ...labels }),
      )?.value;
    expect(value("assay_runs_total", { status: "ok" })).toBe(1);
    expect(value("assay_runs_total", { status: "timeout" })).toBe(1);
    expect(value("assay_runs_total", { status: "failed" })).toBe(0);
    expect(value("assay_runs_running")).toBe(1);
    expect(value("assay_runs_waiting")).toBe(3);
    expect(value("assay_runs_retried_total")).toBe(1);
    expect(value("assay_cost_usd_total")).toBe(0.3);
    expect(value("assay_run_seconds_total")).toBe(3);
    expect(value("assay_tokens_total", { kind: "output" })).toBe(7);
    expect(value("assay_tokens_total", { kind: "input" })).toBe(5);
  });

  test("of a worker tell its runs, its slots and what it declined", () => {
    const doing = [{ study: "1", name: "a", run: "r", sinceMs: 1 }];
    const record = {
      ...{
        id: "w-1",
        done: 5,
        failed: 2,
        jobs: 4,
        state: "running",
        doing,
        refusals: [],
        lacks: { "1": "no gpu" },
      },
    } as unknown as WorkerRecord;
    const read = parseMetrics(metricsText(workerFamilies(record)));
    expect(read).toContainEqual({
      name: "assay_worker_runs_total",
      labels: { worker: "w-1", status: "ok" },
      value: 3,
    });
    expect(read).toContainEqual({
      name: "assay_worker_running",
      labels: { worker: "w-1", study: "a" },
      value: 1,
    });
    expect(read).toContainEqual({ name: "assay_worker_declined", labels: { worker: "w-1" }, value: 1 });
  });

  test("are served at /metrics and nowhere else", async () => {
    const port = await freePort();
    const server = await serveMetrics({ host: "127.0.0.1", port }, () => []);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get("content-type")).toBe(METRICS_TYPE);
    expect(parseMetrics(await answer.text())[0]?.name).toBe("assay_build_info");
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(405);
    await expect(serveMetrics({ host: "127.0.0.1", port }, () => [])).rejects.toThrow(/is taken.*--metrics/);
    server.close();
  });

  test("have an address that is a port, or a host and a port", () => {
    expect(metricsAddress("9464")).toEqual({ host: "127.0.0.1", port: 9464 });
    expect(metricsAddress("[::]:9464")).toEqual({ host: "::", port: 9464 });
    for (const wrong of ["", "x", "70000", "host:", "-1"])
      expect(() => metricsAddress(wrong)).toThrow("HOST:PORT");
  });
});
