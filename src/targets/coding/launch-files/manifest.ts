import { agentOf } from "../../../core/agent-name.ts";
import type { Owner, Run, RunRecord, Status } from "../../../core/run.ts";

/** manifest.json of a launch: which rollouts it has, and how each of them stands. */
export interface Manifest {
  /** The study file, as seen from where the command was called. */
  config: string;
  name: string;
  /** The launch's time, which is its folder's name. */
  created_at: string;
  results: ManifestRow[];
}

export interface ManifestRow {
  task_dir: string;
  run_dir: string;
  run_id: string;
  /** 0 where the rollout was graded; null until it has ended. */
  launch_rc: number | null;
  status: RolloutStatus;
  model: string;
  agent: string;
  /** Counted from 1 for each task and cell. */
  rollout: number;
  /** The run's id in the journal. */
  assay_run: string;
  owner?: Owner;
  reason?: string;
  /** The agent's exit code, or what ended it. */
  agent_exit?: string;
  /** Calls to its models, and those that failed, where they were counted. */
  model_calls?: number;
  failed_calls?: number;
}

export type RolloutStatus = "pending" | "running" | "completed" | Exclude<Status, "ok">;

/** A rollout that nobody has begun, or that has no record yet. */
export function pendingRow(run: Run, place: { runId: string; runDir: string }): ManifestRow {
  return {
    task_dir: run.task ?? "",
    run_dir: place.runDir,
    run_id: place.runId,
    launch_rc: null,
    status: "pending",
    ...agentOf(run.params),
    rollout: run.seed,
    assay_run: run.id,
  };
}

/** The row of a rollout that has ended. */
export function endedRow(row: ManifestRow, { id, outcome, labels, metrics }: RunRecord): ManifestRow {
  const { status, owner, reason, exitCode } = outcome;
  const agentExit = labels?.agent_exit;
  const { model_calls, failed_calls } = metrics;
  const { task_dir, run_dir, run_id, model, agent, rollout } = row;
  return {
    ...{ task_dir, run_dir, run_id, model, agent, rollout },
    launch_rc: status === "ok" ? 0 : (exitCode ?? 1),
    status: status === "ok" ? "completed" : status,
    assay_run: id,
    ...(owner !== undefined && { owner }),
    ...(reason !== undefined && { reason }),
    ...(agentExit !== undefined && { agent_exit: agentExit }),
    ...(typeof model_calls === "number" && { model_calls }),
    ...(typeof failed_calls === "number" && { failed_calls }),
  };
}
