import { basename } from "node:path";
import { EXIT_CATEGORIES, exitCategory, isSubmitted } from "../../core/exit-category.ts";
import { INSTANCE_SUMS, type InstanceRow } from "../../core/instance.ts";
import type { Metrics } from "../../core/run.ts";
import type { Account, Trajectory } from "../../core/trajectory.ts";
import { findTrajectories, readTrajectoryFile } from "./read-trajectory-file.ts";

export interface Instances {
  rows: InstanceRow[];
  /** Files that look like trajectories and can't be read, and why. */
  problems: string[];
}

/** The instances that an agent left trajectories of below a folder, by name. */
export function instancesIn(dir: string): Instances {
  const found: Instances = { rows: [], problems: [] };
  for (const path of [...findTrajectories([dir])].sort()) {
    const read = readTrajectoryFile(path);
    if ("problem" in read) found.problems.push(`${basename(path)}: ${read.problem}`);
    else found.rows.push(instanceOf(read.trajectory));
  }
  return found;
}

/** A trajectory as a row. Where its accounts are not kept apart, all of it is the agent's. */
function instanceOf(trajectory: Trajectory): InstanceRow {
  const { exitStatus, totals, parts, turns } = trajectory;
  const agent: Account = parts?.agent ?? totals;
  const { summary, retry } = parts ?? {};
  const prompt = sumOf([agent.input, agent.cached]);
  // Without parts nobody knows; with them, who is not among them did nothing.
  const none = parts ? 0 : null;
  return {
    instance_id: trajectory.instance,
    exit_status: exitStatus,
    exit_category: exitCategory(exitStatus),
    submitted: isSubmitted(exitStatus),
    solved: trajectory.isResolved ?? null,
    n_turns: turns.length,
    total_cost: totals.costUsd ?? null,
    agent_cost: agent.costUsd ?? null,
    summary_cost: summary ? (summary.costUsd ?? null) : none,
    rloop_cost: retry ? (retry.costUsd ?? null) : none,
    agent_api_calls: agent.calls ?? null,
    summary_api_calls: summary ? (summary.calls ?? null) : none,
    rloop_api_calls: retry ? (retry.calls ?? null) : none,
    raw_input_tokens: agent.input ?? null,
    cached_input_tokens: agent.cached ?? null,
    output_tokens: agent.output ?? null,
    internal_reasoning_tokens: agent.reasoning ?? null,
    summary_raw_input_tokens: summary ? (summary.input ?? null) : none,
    summary_cached_input_tokens: summary ? (summary.cached ?? null) : none,
    summary_output_tokens: summary ? (summary.output ?? null) : none,
    cache_hit_rate: agent.cached === undefined || !prompt ? null : agent.cached / prompt,
    review_score: trajectory.reviewScore ?? null,
  };
}

/** What a run of these instances comes to, under the names that the target `agent` has. Unknown sums are left out. */
export function instanceMetrics(rows: readonly InstanceRow[]): Metrics {
  const count = rows.length;
  if (count === 0) return {};
  const submitted = rows.filter((row) => row.submitted).length;
  const metrics: Metrics = {
    n_instances: count,
    n_submitted: submitted,
    submission_rate: submitted / count,
  };
  const verdicts = rows.flatMap(({ solved }) => (solved === null ? [] : [solved]));
  if (verdicts.length === count) {
    metrics.n_solved = verdicts.filter(Boolean).length;
    metrics.solve_rate = metrics.n_solved / count;
  }
  for (const [column, name] of Object.entries(INSTANCE_SUMS)) {
    const total = sumOf(rows.map((row) => row[column as keyof typeof INSTANCE_SUMS]));
    if (total !== undefined) metrics[name] = total;
  }
  const average = (name: string, total: number | null | undefined) => {
    if (typeof total === "number") metrics[name] = total / count;
  };
  average("avg_cost", metrics.total_cost);
  average("avg_turns", metrics.total_turns);
  average("avg_api_calls", metrics.total_api_calls);
  if (typeof metrics.total_cost === "number") metrics.cost_usd = metrics.total_cost;
  const { total_raw_input_tokens: input, total_cached_input_tokens: cached, total_turns: turns } = metrics;
  if (typeof input === "number" && turns) metrics.avg_tokens_per_turn = (input + (cached ?? 0)) / turns;
  if (typeof input === "number" && typeof cached === "number" && input + cached > 0)
    metrics.cache_hit_rate = cached / (input + cached);
  const scores = rows.flatMap(({ review_score }) => review_score ?? []);
  if (scores.length > 0) metrics.review_score = scores.reduce((a, b) => a + b) / scores.length;
  for (const category of EXIT_CATEGORIES) if (category !== "unknown") metrics[`exit/${category}`] = 0;
  for (const { exit_category } of rows) {
    const name = `exit/${exit_category === "unknown" ? "other" : exit_category}`;
    metrics[name] = (metrics[name] ?? 0) + 1;
  }
  return metrics;
}

/** Unknown as soon as one part is. */
function sumOf(values: readonly (number | null | undefined)[]): number | undefined {
  let sum = 0;
  for (const value of values) {
    if (value === null || value === undefined) return undefined;
    sum += value;
  }
  return sum;
}
