/** One instance of a study of agents; what is not known is null. */
export interface InstanceRow {
  instance_id: string | null;
  exit_status: string | null;
  exit_category: string;
  submitted: boolean;
  solved: boolean | null;
  n_turns: number | null;
  total_cost: number | null;
  agent_cost: number | null;
  summary_cost: number | null;
  rloop_cost: number | null;
  agent_api_calls: number | null;
  summary_api_calls: number | null;
  rloop_api_calls: number | null;
  raw_input_tokens: number | null;
  cached_input_tokens: number | null;
  output_tokens: number | null;
  internal_reasoning_tokens: number | null;
  summary_raw_input_tokens: number | null;
  summary_cached_input_tokens: number | null;
  summary_output_tokens: number | null;
  cache_hit_rate: number | null;
  review_score: number | null;
}

/** Columns that add up over the instances of a run, and the metrics that their sums are. */
export const INSTANCE_SUMS = {
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
} as const satisfies Partial<Record<keyof InstanceRow, string>>;
