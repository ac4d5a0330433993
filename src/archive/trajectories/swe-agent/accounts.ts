import type { Account, Trajectory } from "../../../core/trajectory.ts";
import { field, isObject, known, numberAt, sumOf } from "../json-fields.ts";

const MEASURES = ["input", "cached", "output", "reasoning", "costUsd", "calls"] as const;

/** One account of a file's `info`; undefined where there is none. */
export function accountOf(stats: unknown): Account | undefined {
  if (!isObject(stats)) return undefined;
  const tokens = field(stats, "tokens");
  return known({
    input: numberAt(tokens, "raw_input") ?? numberAt(stats, "tokens_sent"),
    cached: numberAt(tokens, "cached_input"),
    output: numberAt(tokens, "output") ?? numberAt(stats, "tokens_received"),
    reasoning: numberAt(tokens, "internal_reasoning"),
    costUsd: numberAt(stats, "instance_cost"),
    calls: numberAt(stats, "api_calls"),
  });
}

/** What all accounts come to: an amount that one of them lacks is unknown. */
export function sumAccounts(accounts: readonly Account[]): Account {
  const total: Account = {};
  for (const name of MEASURES) {
    const sum = sumOf(accounts.map((account) => account[name]));
    if (sum !== undefined) total[name] = sum;
  }
  return total;
}

/**
 * The agent's, the summariser's and the retry loop's own accounts. `model_stats` is the agent's where no other
 * account says so, also when it retried: the loop's reviews stand apart.
 */
export function accountsOf(info: unknown): Pick<Trajectory, "totals" | "parts"> {
  const parts = known({
    agent: accountOf(field(info, "agent_model_stats")) ?? accountOf(field(info, "model_stats")),
    summary: accountOf(field(info, "summary_model_stats")),
    retry: accountOf(field(info, "rloop_model_stats")),
  });
  const accounts = Object.values(parts);
  if (accounts.length === 0) return { totals: {} };
  const isApart =
    parts.summary !== undefined || parts.retry !== undefined || isObject(field(info, "agent_model_stats"));
  const totals = sumAccounts(accounts);
  return isApart ? { totals, parts } : { totals };
}
