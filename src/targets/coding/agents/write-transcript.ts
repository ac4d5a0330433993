import { mkdirSync, writeFileSync } from "node:fs";
import type { Redactor } from "../../../core/redact.ts";
import type { GatewayCall } from "../../../gateway/call.ts";
import type { Transcript } from "../../../gateway/transcript.ts";
import { addAmount, nothing } from "../../agent/ledger.ts";
import { FORMAT, statsOf, workOf } from "../../agent/write-trajectory.ts";
import type { AgentWork } from "./agent.ts";

interface Worked extends Pick<AgentWork, "exit" | "failure"> {
  agent: string;
  /** Undefined where it does not tell. */
  version?: string | undefined;
  task: string;
  /** As the study names it; empty where it names none. */
  model: string;
  transcript: Transcript;
  calls: readonly GatewayCall[];
  patch: string;
  isSolved: boolean | null;
  redactor: Redactor;
}

/** The work of an agent that is not ours, as its calls tell it, in the format of our own. */
export function writeTranscript(dir: string, worked: Worked): void {
  const { agent, version, task, model, transcript, calls, patch, isSolved, exit, failure, redactor } = worked;
  const { turns, messages } = transcript.main;
  // An agent that called no model has nothing to tell.
  if (turns.length === 0) return;
  const total = nothing();
  for (const { usage, costUsd } of calls)
    addAmount(total, { ...nothing(), ...usage, calls: 1, costUsd: usage ? costUsd : 0 });
  const file = {
    environment: task,
    ...workOf({ steps: turns, messages }),
    info: {
      assay_version: FORMAT,
      instance_id: task,
      agent,
      ...(version !== undefined && { agent_version: version }),
      model: model || (calls.find((call) => call.model !== null)?.model ?? null),
      exit_status: statusOf(exit, failure),
      exit_owner: failure?.owner ?? "agent",
      exit_reason: failure?.reason ?? `the agent ended with ${exit}`,
      submission: patch,
      resolved: isSolved,
      model_stats: statsOf(total),
      wall_ms:
        Math.max(...calls.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs)) - calls[0]!.startedAtMs,
    },
  };
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/${task}.traj`, `${redactor.toJson(file)}\n`);
}

/** In the words of our own agent, which readers sort. */
function statusOf(exit: string, failure: Worked["failure"]): string {
  if (failure) return failure.owner === "budget" ? "exit_cost_study" : "exit_api";
  if (exit === "0") return "submitted";
  if (exit === "budget") return "exit_cost";
  return exit === "timeout" ? "exit_total_execution_time" : "exit_error";
}
