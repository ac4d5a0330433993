import type { Owner } from "../../core/run.ts";
import { ModelError } from "../../models/model.ts";
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

const OF_MODEL: Record<ModelError["kind"], ExitStatus> = {
  "rate-limit": "exit_api",
  server: "exit_api",
  network: "exit_api",
  auth: "exit_api",
  context: "exit_context",
  format: "exit_format",
  budget: "exit_cost_study",
  refused: "exit_error",
};

/** What an error from outside the agent means for the instance; anything else is a bug and goes on up. */
export function exitOfError(error: unknown): Exit {
  if (error instanceof ModelError) return exitWith(OF_MODEL[error.kind] ?? "exit_error", error.message);
  if (error instanceof SandboxError) return exitWith("exit_environment_error", error.message);
  throw error;
}
