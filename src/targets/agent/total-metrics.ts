import { EXIT_CATEGORIES, exitCategory, isSubmitted } from "../../core/exit-category.ts";
import type { Metrics } from "../../core/run.ts";
import type { Grade } from "./grade.ts";
import { type Amount, addAmount, cacheHitRate, nothing } from "./ledger.ts";
import type { RetriedResult } from "./retry-loop.ts";
import type { Step } from "./turns.ts";

/** What a run comes to: sums, averages and counts over its instances, of which it has one where the study names tasks. */
export function totalMetrics(instances: readonly Scored[]): Metrics {
  const count = instances.length;
  const agent = sum(instances.map(({ ledger }) => ledger.accounts.agent));
  const summary = sum(instances.map(({ ledger }) => ledger.accounts.summary));
  const retry = sum(instances.map(({ ledger }) => ledger.accounts.retry));
  const total = sum([agent, summary, retry]);
  const steps = instances.flatMap((instance) => allSteps(instance));
  const turns = steps.length;
  const scores = instances.flatMap(({ reviewScore }) => reviewScore ?? []);
  const submitted = instances.filter(({ exitStatus }) => isSubmitted(exitStatus));
  const solved = instances.filter(({ isSolved }) => isSolved).length;
  return {
    solve_rate: ratio(solved, count),
    submission_rate: ratio(submitted.length, count),
    n_instances: count,
    n_solved: solved,
    n_submitted: submitted.length,
    n_empty_patches: submitted.filter(({ submission }) => submission === "").length,
    cost_usd: total.costUsd,
    cache_hit_rate: cacheHitRate(agent),
    avg_cost: ratio(total.costUsd, count),
    avg_turns: ratio(turns, count),
    avg_api_calls: ratio(agent.calls, count),
    avg_tokens_per_turn: ratio(agent.input + agent.cached, turns),
    total_turns: turns,
    total_api_calls: agent.calls,
    total_summary_api_calls: summary.calls,
    total_rloop_api_calls: retry.calls,
    total_cost: total.costUsd,
    total_agent_cost: agent.costUsd,
    total_summary_cost: summary.costUsd,
    total_rloop_cost: retry.costUsd,
    summary_cost_fraction: share(summary.costUsd, total.costUsd),
    rloop_cost_fraction: share(retry.costUsd, total.costUsd),
    summary_api_fraction: share(summary.calls, total.calls),
    rloop_api_fraction: share(retry.calls, total.calls),
    total_raw_input_tokens: agent.input,
    total_cached_input_tokens: agent.cached,
    total_output_tokens: agent.output,
    total_internal_reasoning_tokens: agent.reasoning,
    total_summary_raw_input_tokens: summary.input,
    total_summary_cached_input_tokens: summary.cached,
    total_summary_output_tokens: summary.output,
    total_inference_time_ms: instances.reduce((ms, { ledger }) => ms + ledger.modelMs, 0),
    total_execution_time_ms: instances.reduce((ms, { ledger }) => ms + ledger.toolMs, 0),
    max_prompt_tokens: most(steps.map(({ promptTokens }) => promptTokens)),
    ...(scores.length > 0 && { review_score: scores.reduce((a, b) => a + b) / scores.length }),
    ...exitCounts(instances),
  };
}

/** Those of attempts that were not handed in were paid for, too. */
function allSteps({ steps, attempts }: Scored): readonly Step[] {
  return attempts ? attempts.flatMap((attempt) => attempt.steps) : steps;
}

/** One count a category, also where it is 0: an exit that never happened is known not to have. */
function exitCounts(instances: readonly Scored[]): Metrics {
  const counts: Metrics = {};
  for (const category of EXIT_CATEGORIES) if (category !== "unknown") counts[`exit/${category}`] = 0;
  for (const { exitStatus } of instances) {
    const category = exitCategory(exitStatus);
    const name = `exit/${category === "unknown" ? "other" : category}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function sum(amounts: readonly Amount[]): Amount {
  const total = nothing();
  for (const amount of amounts) addAmount(total, amount);
  return total;
}

function ratio(part: number | null, whole: number): number | null {
  return part === null || whole === 0 ? null : part / whole;
}

/** A share of nothing is nothing, where both are known to be so. */
function share(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null) return null;
  return whole === 0 ? 0 : part / whole;
}

function most(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b));
}

/** One instance, done and graded. */
export interface Scored extends RetriedResult, Grade {}
