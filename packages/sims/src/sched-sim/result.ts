import type { MetricInfo } from "assay/plugin";
import type { WorkflowOutcome } from "./engine/workflow-table.ts";
import { DEFAULT_TIERS, type SimParams } from "./params.ts";
import type { TraceLog } from "./trace-log.ts";
import type { WorkflowGraph } from "./workflow-graph.ts";

/** One row of workflows.csv. */
export interface WorkflowResult {
  workflow_id: number;
  /** From arrival to end, whatever the outcome. */
  makespan_ms: number;
  cost: number;
  retries: number;
  cancellations: number;
  hedges_launched: number;
  wasted_ms: number;
  outcome: WorkflowOutcome;
  iterations: number;
  arrived_ms: number;
  wasted_cost: number;
}

/** One row of tiers.csv; local workers are tiers of price 0. */
export interface TierResult {
  provider: string;
  tier_id: number;
  utilization: number;
  queue_wait_p95_ms: number | null;
  in_flight_avg: number;
  calls: number;
  queue_wait_mean_ms: number | null;
  queue_length_avg: number;
  cost: number;
}

/** The row of summary.csv. Null is "unknown", and `notes` says why. */
export interface Summary {
  makespan_mean_ms: number | null;
  makespan_p50_ms: number | null;
  makespan_p95_ms: number | null;
  makespan_p99_ms: number | null;
  cost_mean: number;
  cost_p50: number | null;
  cost_total: number;
  cost_per_finished: number | null;
  workflows_finished: number;
  workflows_failed: number;
  workflows_budget_exhausted: number;
  finished_share: number;
  iterations_mean: number;
  retries: number;
  timeouts: number;
  escalations: number;
  hedges_launched: number;
  hedges_won: number;
  cancellations: number;
  wasted_ms: number;
  wasted_cost: number;
  attempts_started: number;
  attempts_finished: number;
  attempts_failed: number;
  attempts_cancelled: number;
  virtual_time_ms: number;
  events: number;
}

/** Everything that one simulation gives. */
export interface SimResult {
  params: SimParams;
  seed: number;
  summary: Summary;
  workflows: WorkflowResult[];
  tiers: TierResult[];
  /** What to doubt when reading the numbers. */
  notes: string[];
  graph: WorkflowGraph;
  trace: TraceLog | null;
}

const down = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});
const up = (unit: string, description: string): MetricInfo => ({ unit, direction: "maximize", description });
const plain = (unit: string, description: string): MetricInfo => ({ unit, direction: "none", description });

const SUMMARY: Record<keyof Summary, MetricInfo> = {
  makespan_mean_ms: down("ms", "Mean time from arrival to end of the finished workflows"),
  makespan_p50_ms: down("ms", "Median of it (percentiles: Hyndman and Fan's definition 7)"),
  makespan_p95_ms: down("ms", "95th percentile of it"),
  makespan_p99_ms: down("ms", "99th percentile of it; below 100 finished workflows nearly their maximum"),
  cost_mean: down("USD", "Mean cost of a workflow, whatever its outcome"),
  cost_p50: down("USD", "Median of it"),
  cost_total: down("USD", "What all workflows spent"),
  cost_per_finished: down("USD", "What all workflows spent, for each that finished"),
  workflows_finished: up("1", "Workflows that finished"),
  workflows_failed: down("1", "Workflows with a step that failed at every try"),
  workflows_budget_exhausted: down("1", "Workflows that could not pay for their next call"),
  finished_share: up("1", "Share of workflows that finished"),
  iterations_mean: plain("1", "Iterations that a workflow began"),
  retries: down("1", "Tries after a failure or a timeout"),
  timeouts: down("1", "Attempts that hit their tier's timeout"),
  escalations: plain("1", "Calls on a tier that is not the cheapest, hedges not counted"),
  hedges_launched: plain("1", "Duplicates launched"),
  hedges_won: plain("1", "Duplicates that finished first"),
  cancellations: plain("1", "Attempts cancelled while running"),
  wasted_ms: down("ms", "Time in attempts that failed or were cancelled"),
  wasted_cost: down("USD", "Money for attempts that failed or were cancelled"),
  attempts_started: plain("1", "Attempts started; the sum of the next three"),
  attempts_finished: plain("1", "Attempts whose result counted"),
  attempts_failed: plain("1", "Attempts that erred or timed out"),
  attempts_cancelled: plain("1", "Attempts cancelled while running"),
  virtual_time_ms: plain("ms", "When the last workflow ended"),
  events: plain("1", "Events that the simulator handled"),
};

const TIER = {
  utilization: plain("1", "Share of its slots in use, over time"),
  queue_wait_p95_ms: down("ms", "95th percentile of the wait for a start, within 0.1 %"),
  in_flight_avg: plain("1", "Slots in use, over time"),
};

/** What the target declares: tiers of other numbers get the same metrics under their own names. */
export const metricInfos: Record<string, MetricInfo> = { ...SUMMARY };
const workers = ["cpu_workers", "io_workers"].map((provider) => ({ provider, tier_id: 0 }));
for (const { provider, tier_id } of [...DEFAULT_TIERS, ...workers]) {
  for (const [name, info] of Object.entries(TIER)) metricInfos[`${provider}_tier${tier_id}_${name}`] = info;
}

/** The numbers that a run ends with. */
export function metricsOf({ summary, tiers }: SimResult): Record<string, number | null> {
  const metrics: Record<string, number | null> = { ...summary };
  for (const tier of tiers) {
    const prefix = `${tier.provider}_tier${tier.tier_id}`;
    metrics[`${prefix}_utilization`] = tier.utilization;
    metrics[`${prefix}_queue_wait_p95_ms`] = tier.queue_wait_p95_ms;
    metrics[`${prefix}_in_flight_avg`] = tier.in_flight_avg;
  }
  return metrics;
}
