import type { WorkflowOutcome } from "../engine/workflow-table.ts";
import type { SimParams } from "../params/index.ts";
import type { TraceLog } from "../trace/trace-log.ts";
import type { WorkflowGraph } from "../workflow-graph.ts";

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
  /** What to keep in mind when reading the numbers. */
  notes: string[];
  graph: WorkflowGraph;
  trace: TraceLog | null;
}
