import { exitCategory, isSubmitted } from "../../core/exit-category.ts";
import type { InstanceRow } from "../../core/instance.ts";
import { isFailure, type RunRecord } from "../../core/run.ts";

/** The columns that are metrics of the run, under the metric's name. */
const COLUMNS = {
  n_turns: "total_turns",
  total_cost: "total_cost",
  agent_cost: "total_agent_cost",
  summary_cost: "total_summary_cost",
  rloop_cost: "total_rloop_cost",
  agent_api_calls: "total_api_calls",
  summary_api_calls: "total_summary_api_calls",
  rloop_api_calls: "total_rloop_api_calls",
  raw_input_tokens: "total_raw_input_tokens",
  cached_input_tokens: "total_cached_input_tokens",
  output_tokens: "total_output_tokens",
  internal_reasoning_tokens: "total_internal_reasoning_tokens",
  summary_raw_input_tokens: "total_summary_raw_input_tokens",
  summary_cached_input_tokens: "total_summary_cached_input_tokens",
  summary_output_tokens: "total_summary_output_tokens",
  cache_hit_rate: "cache_hit_rate",
  review_score: "review_score",
} as const;

/** A run of one instance as a row of the table; a run that failed has what it told before. */
export function instanceRow({ task, metrics, labels, outcome }: RunRecord): InstanceRow {
  const status = labels?.exit_status ?? null;
  const isMeasured = !isFailure(outcome);
  const values = Object.fromEntries(
    Object.entries(COLUMNS).map(([column, metric]) => [column, metrics[metric] ?? null]),
  ) as Record<keyof typeof COLUMNS, number | null>;
  return {
    instance_id: task,
    exit_status: status,
    exit_category: exitCategory(status ?? (isMeasured ? null : "exit_error")),
    submitted: isSubmitted(status),
    solved: isMeasured && typeof metrics.n_solved === "number" ? metrics.n_solved > 0 : null,
    ...values,
  };
}
