import type { RunRecord } from "../../../core/run.ts";
import type { ManifestRow } from "./manifest.ts";

/** task_results/<run_id>.json: what came of one rollout. What is unknown is null. */
export interface TaskResult {
  run_id: string;
  task_dir: string;
  run_dir: string;
  model: string;
  agent: string;
  rollout: number;
  status: ManifestRow["status"];
  owner: string | null;
  reason: string | null;
  score: number | null;
  solved: number | null;
  cost_usd: number | null;
  seconds: number;
  agent_exit: string | null;
  patch: string | null;
}

export function taskResult(row: ManifestRow, { metrics, labels, wallMs, costUsd }: RunRecord): TaskResult {
  return {
    run_id: row.run_id,
    task_dir: row.task_dir,
    run_dir: row.run_dir,
    model: row.model,
    agent: row.agent,
    rollout: row.rollout,
    status: row.status,
    owner: row.owner ?? null,
    reason: row.reason ?? null,
    score: metrics.score ?? null,
    solved: metrics.solved ?? null,
    cost_usd: metrics.cost_usd ?? costUsd ?? null,
    seconds: Number((wallMs / 1000).toFixed(3)),
    agent_exit: labels?.agent_exit ?? null,
    patch: labels?.patch ?? null,
  };
}
