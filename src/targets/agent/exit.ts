import type { Owner } from "../../core/run.ts";
import { type FailureKind, MODEL_FAILURES, ModelError } from "../../models/model.ts";
import { SandboxError } from "../../sandboxes/sandbox.ts";

/** How an instance ended: the status as trajectories write it, whose doing it was, and why in words. */
export interface Exit {
  status: ExitStatus;
  owner: Owner;
  reason: string;
}

/** Each limit has its own; `exit_cost_...` are of the category of costs. */
export type ExitStatus = keyof typeof OWNERS;

const OWNERS = {
  submitted: "agent",
  exit_cost: "budget",
  exit_cost_calls: "budget",
  exit_cost_tokens: "budget",
  exit_cost_study: "budget",
  exit_total_execution_time: "budget",
  exit_context: "agent",
  exit_command_timeout: "agent",
  exit_format: "agent",
  exit_forfeit: "agent",
  exit_repetitive_action: "agent",
  exit_error: "agent",
  exit_api: "infrastructure",
  exit_environment_error: "infrastructure",
} as const satisfies Record<string, Owner>;

export function exitWith(status: ExitStatus, reason: string): Exit {
  return { status, owner: OWNERS[status], reason };
}

const OF_AGENT: Partial<Record<FailureKind, ExitStatus>> = { context: "exit_context", format: "exit_format" };

/**
 * What an error from outside the agent means for the instance; anything else is a bug and goes on up. A model that
 * refuses the very first request refuses ours: the agent has said nothing yet.
 */
export function exitOfError(error: unknown, { hasAnswered }: { hasAnswered: boolean }): Exit {
  if (error instanceof SandboxError) return exitWith("exit_environment_error", error.message);
  if (!(error instanceof ModelError)) throw error;
  const { kind, message } = error;
  const { owner } = MODEL_FAILURES[kind];
  if (owner === "budget") return exitWith("exit_cost_study", message);
  const isOurs = owner === "infrastructure" || (kind === "refused" && !hasAnswered);
  return exitWith(isOurs ? "exit_api" : (OF_AGENT[kind] ?? "exit_error"), message);
}

/** Whether what the agent left says nothing about it: something around it broke, or the study's money was spent. */
export function isUnmeasured({ owner, status }: Exit): boolean {
  return owner === "infrastructure" || status === "exit_cost_study";
}
