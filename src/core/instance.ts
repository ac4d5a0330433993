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
