import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/sched-sim/result.ts";
import { runSim } from "./run-sim.ts";

const summaryOf = (params: Parameters<typeof runSim>[0]): Summary =>
  runSim({ trace: false, ...params }).summary;
const full = runSim({ workflows: 100, trace: false });

describe("with the default parameters", () => {
  it("iterations, escalation, hedging, timeouts, retries and empty purses all occur", () => {
    const { summary } = full;
    expect(new Set(full.workflows.map((workflow) => workflow.iterations))).toEqual(new Set([1, 2, 3]));
    expect(summary.escalations).toBeGreaterThan(1000);
    expect(summary.hedges_launched).toBeGreaterThan(100);
    expect(summary.hedges_won).toBeGreaterThan(10);
    expect(summary.cancellations).toBeGreaterThan(10);
    expect(summary.timeouts).toBeGreaterThan(5);
    expect(summary.retries).toBeGreaterThan(50);
    expect(summary.workflows_budget_exhausted).toBeGreaterThan(0);
    expect(summary.workflows_budget_exhausted).toBeLessThan(10);
  });

  it("the number of iterations allowed makes a difference", () => {
    const [one, two, three] = [1, 2, 3].map((iters) => summaryOf({ policy: "fifo_cheapest", iters }));
    expect(one!.iterations_mean).toBe(1);
    expect(two!.makespan_mean_ms).toBeGreaterThan(1.3 * one!.makespan_mean_ms!);
    expect(three!.makespan_mean_ms).toBeGreaterThan(1.02 * two!.makespan_mean_ms!);
  });

  it("cheapest stays cheap, escalation is faster and dearer, hedging is faster still", () => {
    const [cheap, escalation, hedged] = ["dag_cheapest", "dag_escalation", "full"].map((policy) =>
      summaryOf({ policy }),
    );
    expect(cheap!.escalations).toBe(0);
    expect(cheap!.cost_mean).toBeLessThan(1);
    expect(escalation!.cost_mean).toBeGreaterThan(2 * cheap!.cost_mean);
    expect(escalation!.makespan_p95_ms).toBeLessThan(0.5 * cheap!.makespan_p95_ms!);
    expect(hedged!.makespan_p95_ms).toBeLessThan(0.95 * escalation!.makespan_p95_ms!);
  });

  it("the least remaining work first is better for the mean, at the same cost", () => {
    const [fifo, srpt] = ["fifo_cheapest", "srpt_cheapest"].map((policy) => summaryOf({ policy }));
    expect(srpt!.makespan_mean_ms).toBeLessThan(0.9 * fifo!.makespan_mean_ms!);
    expect(srpt!.cost_mean).toBe(fifo!.cost_mean);
  });

  it("pacing lets every workflow finish within its budget", () => {
    expect(summaryOf({ policy: "budget_paced", workflows: 100 }).workflows_budget_exhausted).toBe(0);
  });

  it("a workflow that gave up is not counted as finished", () => {
    const { summary, workflows, notes } = runSim({ workflows: 20, budget_usd: 1, trace: false });
    const finished = workflows.filter((workflow) => workflow.outcome === "finished");
    expect(summary.workflows_budget_exhausted).toBeGreaterThan(0);
    expect(summary.workflows_finished).toBe(finished.length);
    expect(notes.join()).toContain("did not finish");
  });

  it("a p99 of too few workflows comes with a note", () => {
    const { summary, notes } = runSim({ workflows: 30, policy: "fifo_cheapest", trace: false });
    expect(summary.makespan_p99_ms).toBeGreaterThanOrEqual(summary.makespan_p95_ms!);
    expect(notes).toEqual(["makespan_p99_ms rests on 30 finished workflows: it is nearly their maximum"]);
  });

  it("tails hit timeouts, and calls that fail at every try fail their workflow", () => {
    const tiers = runSim({ workflows: 1 }).params.tiers.map((tier) => ({ ...tier, p_fail: 0.6 }));
    const { summary } = runSim({ workflows: 5, tiers, trace: false });
    expect(summary.workflows_failed).toBeGreaterThan(0);
    const noTails = summaryOf({ heavy_tail_prob: 0, policy: "fifo_cheapest" });
    expect(noTails.timeouts).toBe(0);
  });
});
