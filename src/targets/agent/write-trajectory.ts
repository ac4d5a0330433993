import { mkdirSync, writeFileSync } from "node:fs";
import type { Message } from "../../core/message.ts";
import type { Usage } from "../../core/trajectory.ts";
import type { Amount } from "./ledger.ts";
import type { AgentParams } from "./params.ts";
import type { Attempt } from "./retry-loop.ts";
import type { Scored } from "./total-metrics.ts";
import type { Step } from "./turns.ts";

/** Raised when what the files say changes. */
export const FORMAT = "1";

/** An instance that ended; nobody may have graded it. */
type Ended = Omit<Scored, "isSolved"> & { isSolved: boolean | null };

/** One instance in SWE-agent's format, with the turn statistics of its fork and what the strategy did. */
export function trajectoryOf(scored: Ended, params: AgentParams): object {
  const { instance, exitStatus, exit, submission, isSolved, attempts, ledger } = scored;
  const { agent, summary, retry } = ledger.accounts;
  return {
    environment: instance,
    ...(attempts ? { attempts: attempts.map(attemptOf) } : workOf(scored)),
    info: {
      assay_version: FORMAT,
      instance_id: instance,
      model: params.model,
      exit_status: exitStatus,
      exit_owner: exit.owner,
      exit_reason: exit.reason,
      submission,
      resolved: isSolved,
      model_stats: statsOf(ledger.total),
      agent_model_stats: statsOf(agent),
      summary_model_stats: summary.calls > 0 ? statsOf(summary) : null,
      ...(attempts && {
        best_attempt_idx: attempts.findIndex(({ steps }) => steps === scored.steps),
        rloop_model_stats: retry.calls > 0 ? statsOf(retry) : null,
      }),
    },
    replay_config: JSON.stringify({
      agent: {
        model: {
          name: params.model,
          per_instance_call_limit: params.call_limit,
          per_instance_cost_limit: params.cost_limit,
        },
        strategy: params.strategy,
      },
    }),
  };
}

/** A turn as the file has it; what is null is unknown. */
export type WrittenStep = Pick<Step, "action" | "observation" | "thought" | "modelMs" | "checkpoint"> & {
  usage: Usage | null;
  costUsd: number | null;
  toolMs: number | null;
  promptTokens: number | null;
  masked?: number;
};

interface Work {
  steps: readonly WrittenStep[];
  messages: readonly Message[];
}

/** What an attempt did and said. */
export function workOf({ steps, messages }: Work): object {
  return {
    trajectory: steps.map(stepOf),
    history: messages.map(({ role, text, kind, turn, toolCalls, toolCallId }) => ({
      role,
      content: text,
      message_type: kind,
      turn,
      ...(toolCalls && { tool_calls: toolCalls }),
      ...(toolCallId !== undefined && { tool_call_ids: [toolCallId] }),
    })),
  };
}

function attemptOf(attempt: Attempt): object {
  const { exitStatus, submission, reviewScore } = attempt;
  const review = reviewScore === null ? null : { score: reviewScore };
  return { ...workOf(attempt), info: { exit_status: exitStatus, submission, review } };
}

export function writeTrajectory(dir: string, scored: Ended, params: AgentParams): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(`${dir}/${scored.instance}.traj`, `${JSON.stringify(trajectoryOf(scored, params))}\n`);
}

function stepOf(step: WrittenStep): object {
  return {
    action: step.action,
    observation: step.observation,
    response: step.thought,
    thought: step.thought,
    state: {},
    ...(step.toolMs !== null && { execution_time: step.toolMs / 1000 }),
    turn_statistics: {
      cost: step.costUsd,
      tokens: step.usage && tokensOf(step.usage),
      inference_time: step.modelMs,
    },
    extra_info: {
      context: {
        ...(step.masked !== undefined && { masked: step.masked }),
        prompt_tokens: step.promptTokens,
        ...(step.checkpoint !== undefined && { checkpoint: step.checkpoint }),
      },
    },
  };
}

export function statsOf(amount: Amount): object {
  return {
    instance_cost: amount.costUsd,
    tokens_sent: amount.input + amount.cached,
    tokens_received: amount.output,
    api_calls: amount.calls,
    tokens: tokensOf(amount),
  };
}

function tokensOf({ input, cached, output, reasoning }: Omit<Amount, "calls" | "costUsd">): object {
  return { raw_input: input, cached_input: cached, output, internal_reasoning: reasoning };
}
