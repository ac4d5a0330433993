import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { schedSim } from "../../src/sched-sim/index.ts";
import type { SimInput } from "../../src/sched-sim/params.ts";
import { writeOutputs } from "../../src/sched-sim/write-outputs.ts";
import { replay } from "./replay.ts";
import { runSim, SMALL } from "./run-sim.ts";

const folders: string[] = [];

/** All files of a run, by name. */
function filesOf(params: SimInput, seed = 1): Record<string, string> {
  const dir = mkdtempSync(join(tmpdir(), "sched-sim-"));
  folders.push(dir);
  writeOutputs(runSim(params, seed), dir);
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}

afterAll(() => {
  for (const dir of folders) rmSync(dir, { recursive: true });
});

const context = (params: SimInput, outDir: string | null) => ({
  params: schedSim.params.parse(params),
  seed: 1,
  task: null,
  repeat: 0,
  iteration: 0,
  outDir,
  signal: new AbortController().signal,
  series: () => {},
  baseDir: ".",
  warn: () => {},
});

describe("the files of a run", () => {
  it("begin with the columns that readers of earlier results know", () => {
    const files = filesOf(SMALL);
    const header = (name: string) => files[name]!.split("\n")[0];
    expect(header("summary.csv")).toMatch(
      /^makespan_mean_ms,makespan_p50_ms,makespan_p95_ms,makespan_p99_ms,cost_mean,cost_p50,/,
    );
    expect(header("workflows.csv")).toMatch(
      /^workflow_id,makespan_ms,cost,retries,cancellations,hedges_launched,wasted_ms,outcome,/,
    );
    expect(header("tiers.csv")).toMatch(/^provider,tier_id,utilization,queue_wait_p95_ms,in_flight_avg,/);
  });

  it("include a trace in order of time, with times and not durations", () => {
    const trace = JSON.parse(filesOf(SMALL)["trace.json"]!) as { ev: string; t_ms: number }[];
    expect(trace.map((event) => event.t_ms)).toEqual(trace.map((event) => event.t_ms).sort((a, b) => a - b));
    expect(new Set(trace.map((event) => event.ev))).toContain("AttemptFinish");
  });

  it("include a Chrome trace with one slice for each attempt and each workflow", () => {
    const { summary, workflows } = runSim(SMALL);
    const chrome = JSON.parse(filesOf({ ...SMALL, perfetto: true })["trace.perfetto.json"]!) as {
      traceEvents: { ph: string; pid: number; tid: number; ts: number; dur: number }[];
    };
    const slices = chrome.traceEvents.filter((event) => event.ph === "X");
    expect(slices).toHaveLength(summary.attempts_started + workflows.length);
    const busyUntil = new Map<string, number>();
    for (const { pid, tid, ts, dur } of slices) {
      expect(ts).toBeGreaterThanOrEqual(busyUntil.get(`${pid}/${tid}`) ?? 0);
      busyUntil.set(`${pid}/${tid}`, ts + dur);
    }
  });

  it("leave out the traces when nobody wants them", () => {
    expect(Object.keys(filesOf({ ...SMALL, trace: false })).sort()).toEqual([
      "summary.csv",
      "tiers.csv",
      "workflows.csv",
    ]);
  });

  it("are the same bytes on every machine", () => {
    // Another hash means other results for the same study: raise the target's version with it.
    const all = Object.entries(filesOf({ ...SMALL, perfetto: true })).map(
      ([name, text]) => `${name}\n${text}`,
    );
    expect(createHash("sha256").update(all.join("")).digest("hex")).toMatchInlineSnapshot(
      `"c9404c6a6967637dd74a4e1a7391338a7f2e0f8aa496fc44185d2fef192c43a9"`,
    );
  });
});

describe("a trace", () => {
  it.each([
    ["full", 1],
    ["full", 2],
    ["dag_escalation", 1],
    ["fifo_cheapest", 1],
  ])("of %s with seed %i replays to the same results", (policy, seed) => {
    const params: SimInput = { workflows: 12, policy, heavy_tail_prob: 0.05, budget_usd: 3 };
    const result = runSim(params, seed);
    const { summary } = result;
    const { workflows, tiers, counts } = replay(
      JSON.parse(filesOf(params, seed)["trace.json"]!),
      result.params,
    );
    workflows.forEach((replayed, i) => {
      const workflow = result.workflows[i]!;
      expect(replayed).toMatchObject({ outcome: workflow.outcome, last: workflow.iterations - 1 });
      expect(Number(replayed.ended) - Number(replayed.arrived)).toBeCloseTo(workflow.makespan_ms, 6);
      expect(Number(replayed.nano) / 1e9).toBe(workflow.cost);
      expect(Number(replayed.wastedUs) / 1000).toBe(workflow.wasted_ms);
      expect(Number(replayed.wastedNano) / 1e9).toBe(workflow.wasted_cost);
    });
    for (const tier of result.tiers.filter(({ calls }) => calls > 0)) {
      const replayed = tiers.get(`${tier.provider}_tier${tier.tier_id}`)!;
      replayed.waitsMs.sort((a, b) => a - b);
      const p95Ms = replayed.waitsMs[Math.ceil(0.95 * replayed.calls) - 1]!;
      expect(tier.calls).toBe(replayed.calls);
      expect(tier.cost).toBe(replayed.cost / 1e9);
      expect(tier.in_flight_avg).toBeCloseTo(replayed.busyMs / 1000 / summary.virtual_time_ms, 9);
      expect(Math.abs(tier.queue_wait_p95_ms! - p95Ms)).toBeLessThanOrEqual(p95Ms / 1024);
    }
    expect(counts).toMatchObject({
      AttemptStart: summary.attempts_started,
      AttemptFinish: summary.attempts_finished,
      ...(summary.attempts_failed && { AttemptFail: summary.attempts_failed }),
      ...(summary.cancellations && { AttemptCancel: summary.cancellations }),
      ...(summary.hedges_launched && { HedgeLaunched: summary.hedges_launched }),
      ...(summary.hedges_won && { hedges_won: summary.hedges_won }),
      ...(summary.timeouts && { timeouts: summary.timeouts }),
      ...(summary.escalations && { escalations: summary.escalations }),
      ...(summary.retries && { retries: summary.retries }),
    });
  });
});

describe("the target", () => {
  it("declares every metric that it gives with the default tiers", async () => {
    const metrics = await schedSim.run(context(SMALL, null), undefined);
    expect(Object.keys(metrics).filter((name) => !(name in schedSim.metrics!))).toEqual([]);
    expect(metrics).toHaveProperty("llm_provider_tier0_queue_wait_p95_ms");
  });

  it("gives the same metrics with and without files", async () => {
    const dir = mkdtempSync(join(tmpdir(), "sched-sim-"));
    folders.push(dir);
    expect(await schedSim.run(context(SMALL, dir), undefined)).toEqual(
      await schedSim.run(context(SMALL, null), undefined),
    );
    expect(readdirSync(dir)).toContain("trace.json");
  });

  it("stops when the run should end", async () => {
    const stopped = { ...context({ workflows: 300 }, null), signal: AbortSignal.abort(new Error("enough")) };
    await expect(schedSim.run(stopped, undefined)).rejects.toThrow("enough");
  });
});
