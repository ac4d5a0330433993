import { SUSPECT } from "../../core/agent-run.ts";
import { faultOf, type MetricInfos, type RunRecord } from "../../core/run.ts";

/** One rollout as analysis sees it: what it scored, or whose fault it is that nobody knows. */
export interface RolloutRun {
  id: string;
  task: string;
  arm: string;
  rollout: number;
  status: RunRecord["outcome"]["status"];
  /** Whose fault it is that there is no score; null where there is one. */
  missing: string | null;
  reason: string | null;
  /** 0 to 1; null where it is missing. */
  score: number | null;
  solved: 0 | 1 | null;
  costUsd: number | null;
  /** The agent's own time where it is known, else the whole run's; null where nobody took it, as in imported results. */
  seconds: number | null;
  /** How the patch went in: plain, three-way, refused or empty. */
  patch: string | null;
  /** In which ways its result may not be what it seems; null where in none. */
  suspect: string | null;
  /** The agent's exit code, or what ended it. */
  agentExit: string | null;
  /** Calls to its models, and those that failed; null where nobody counted. */
  calls: number | null;
  failedCalls: number | null;
}

/** Whether runs are tries at tasks that are judged, so that tables by task and pass@k say more than means: their target says so. */
export function hasVerdicts(metrics: MetricInfos | undefined): boolean {
  return metrics?.score?.failure === "worst";
}

/**
 * Reads a record. What the agent broke, or did not finish in time, has failed: its score is 0, unless the metric says
 * that it is missing. A broken machine, a broken grader or an empty purse says nothing about the agent: its score is
 * missing.
 */
export function rolloutRun(
  record: RunRecord,
  arm: string,
  failure: "worst" | "missing" = "worst",
): RolloutRun {
  const { id, task, seed, outcome, metrics, labels, wallMs, costUsd } = record;
  const score = isAgentsFailure(record) ? (failure === "worst" ? 0 : null) : scoreOf(record);
  return {
    ...{ id, arm, task: task ?? "", rollout: seed, status: outcome.status },
    missing:
      score === null ? (outcome.owner ?? (outcome.status === "ok" ? "unknown" : outcome.status)) : null,
    reason: outcome.reason ?? null,
    score,
    solved: score === null ? null : solvedOf(record, score),
    costUsd: metrics.cost_usd ?? costUsd ?? null,
    seconds: metrics.agent_seconds ?? (wallMs > 0 ? wallMs / 1000 : null),
    patch: labels?.patch ?? null,
    suspect: labels?.[SUSPECT] ?? null,
    agentExit: labels?.agent_exit ?? null,
    calls: metrics.model_calls ?? null,
    failedCalls: metrics.failed_calls ?? null,
  };
}

/** Whether a record counts as a try that failed by the agent's own fault. */
function isAgentsFailure({ outcome }: RunRecord): boolean {
  return faultOf(outcome) === "agent";
}

function scoreOf(record: RunRecord): number | null {
  const score = record.metrics.score;
  if (record.outcome.status !== "ok" || typeof score !== "number") return null;
  return Number.isFinite(score) ? score : null;
}

function solvedOf(record: RunRecord, score: number): 0 | 1 {
  if (isAgentsFailure(record)) return 0;
  const { solved } = record.metrics;
  return (typeof solved === "number" ? solved >= 1 : score >= 1) ? 1 : 0;
}
