import { type ExitCategory, exitCategory, isSubmitted } from "../../core/exit-category.ts";
import type { Account, Trajectory, Turn } from "../../core/trajectory.ts";

/** One trajectory in a row. Null is unknown. */
export interface TrajectorySummary {
  format: string;
  instance: string | null;
  model: string | null;
  /** As written. */
  exit: string | null;
  category: ExitCategory;
  /** Which limit ended it, where the file tells: its exit for cost may have been for calls. */
  limit: "calls" | "cost" | "tokens" | "study" | null;
  isSubmitted: boolean;
  /** Null where nobody can tell. */
  isEmpty: boolean | null;
  isResolved: boolean | null;
  turns: number;
  calls: number | null;
  /** Cached ones are not in `input`. */
  tokens: { input: number | null; cached: number | null; output: number | null; reasoning: number | null };
  costUsd: number | null;
  /** By who spent it, where the file keeps accounts. */
  parts: Record<Spender, Part | null>;
  wallMs: number | null;
  /** Parts of the wall time. */
  modelMs: number | null;
  toolMs: number | null;
  cacheHitRate: number | null;
  avgTokensPerTurn: number | null;
  /** Observations that were masked, and summaries that were made. */
  masked: number | null;
  checkpoints: number | null;
}

export type Spender = "agent" | "summary" | "retry";
export const SPENDERS: readonly Spender[] = ["agent", "summary", "retry"];

export interface Part {
  costUsd: number | null;
  calls: number | null;
}

/** What a trajectory comes to. One literal without spreads: folders of thousands make thousands of these. */
export function summariseFile(trajectory: Trajectory): TrajectorySummary {
  const { format, instance, model, exitStatus, submission, turns, totals, parts } = trajectory;
  const { input = null, cached = null, output = null, reasoning = null } = totals;
  const prompt = promptTokens(totals);
  const { masked, checkpoints } = contextWork(trajectory);
  return {
    format,
    instance,
    model,
    exit: exitStatus,
    category: exitCategory(exitStatus),
    limit: limitOf(trajectory),
    isSubmitted: isSubmitted(exitStatus),
    isEmpty: submission === null ? null : submission.trim() === "",
    isResolved: trajectory.isResolved ?? null,
    turns: turns.length,
    calls: totals.calls ?? null,
    tokens: { input, cached, output, reasoning },
    costUsd: totals.costUsd ?? null,
    parts: { agent: partOf(parts?.agent), summary: partOf(parts?.summary), retry: partOf(parts?.retry) },
    wallMs: totals.wallMs ?? sum(turns, "wallMs"),
    modelMs: sum(turns, "modelMs"),
    toolMs: sum(turns, "toolMs"),
    cacheHitRate: cached === null || !prompt ? null : cached / prompt,
    avgTokensPerTurn: prompt === null || turns.length === 0 ? null : prompt / turns.length,
    masked,
    checkpoints,
  };
}

/** Everything that was sent: what was read from a cache counts too. */
export function promptTokens({
  input,
  cached,
}: {
  input?: number | null;
  cached?: number | null;
}): number | null {
  return input === undefined || input === null ? null : input + (cached ?? 0);
}

function partOf(account: Account | undefined): Part | null {
  return account ? { costUsd: account.costUsd ?? null, calls: account.calls ?? null } : null;
}

/** The cost limit is checked after a call and so overrun a little; the limit of calls is met exactly. */
function limitOf({ exitStatus, limits, totals }: Trajectory): TrajectorySummary["limit"] {
  if (exitCategory(exitStatus) !== "exit_cost") return null;
  const named = /exit_cost_(calls|tokens|study)/.exec(exitStatus ?? "")?.[1];
  if (named !== undefined) return named as TrajectorySummary["limit"];
  const { calls, costUsd } = totals;
  if (limits?.costUsd !== undefined && costUsd !== undefined && costUsd >= limits.costUsd) return "cost";
  if (limits?.calls !== undefined && calls !== undefined && calls >= limits.calls) return "calls";
  return null;
}

function contextWork({ turns, summaries }: Trajectory): Pick<TrajectorySummary, "masked" | "checkpoints"> {
  const acted = turns.flatMap(({ context }) => context ?? []);
  const placed = acted.filter(({ checkpoint }) => checkpoint !== undefined).length;
  if (acted.length === 0) return { masked: null, checkpoints: summaries?.length ?? null };
  return {
    masked: Math.max(...acted.map(({ masked }) => masked ?? 0)),
    checkpoints: Math.max(placed, summaries?.length ?? 0),
  };
}

/** Unknown as soon as one turn's is. */
function sum(turns: readonly Turn[], name: "wallMs" | "modelMs" | "toolMs"): number | null {
  let total = 0;
  for (const turn of turns) {
    const value = turn[name];
    if (value === undefined) return null;
    total += value;
  }
  return turns.length === 0 ? null : total;
}
