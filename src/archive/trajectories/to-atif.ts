import type { Trajectory, Turn } from "../../core/trajectory.ts";
import { known } from "./json-fields.ts";

const VERSION = "ATIF-v1.4";

/** A trajectory in the interchange format. What the format has no place for stands in its `extra`. */
export function toAtif(trajectory: Trajectory, { program }: { program: string }): object {
  const { instance, model, exitStatus, submission, totals, turns, opening = [] } = trajectory;
  const before = opening.map(({ role, text }) => ({
    source: role === "system" ? "system" : "user",
    message: text,
  }));
  const steps = [...before, ...turns.flatMap(stepsOf)].map((step, i) => ({ step_id: i + 1, ...step }));
  const extra = known({
    instance_id: instance ?? undefined,
    exit_status: exitStatus ?? undefined,
    submission: submission ?? undefined,
    resolved: trajectory.isResolved,
    calls: totals.calls,
    read_from: trajectory.format,
  });
  return {
    schema_version: VERSION,
    session_id: instance ?? "unknown",
    agent: { ...agentOf(trajectory, program), ...(model !== null && { model_name: model }) },
    steps,
    final_metrics: known({
      total_prompt_tokens: promptOf(totals),
      total_completion_tokens: totals.output,
      total_cached_tokens: totals.cached,
      total_cost_usd: totals.costUsd,
      total_steps: steps.length,
      extra: totals.reasoning === undefined ? undefined : { reasoning_tokens: totals.reasoning },
    }),
    extra,
  };
}

/** The format demands a name and a version. */
function agentOf({ agent }: Trajectory, program: string): { name: string; version: string } {
  if (agent === undefined) return { name: "assay", version: program };
  return { name: agent.name, version: agent.version ?? "unknown" };
}

/** What the agent was told besides the answers of its tools is a step of the user's. */
function stepsOf(turn: Turn): object[] {
  return [stepOf(turn), ...(turn.notices ?? []).map((message) => ({ source: "user", message }))];
}

function stepOf(turn: Turn): object {
  const { thought, usage, costUsd, context } = turn;
  const metrics = known({
    prompt_tokens: usage && promptOf(usage),
    completion_tokens: usage?.output,
    cached_tokens: usage?.cached,
    cost_usd: costUsd,
    extra: usage?.reasoning === undefined ? undefined : { reasoning_tokens: usage.reasoning },
  });
  return {
    source: "agent",
    message: thought ?? "",
    ...known({
      ...actionOf(turn),
      metrics: Object.keys(metrics).length === 0 ? undefined : metrics,
      extra: context && known({ masked: context.masked, checkpoint: context.checkpoint }),
    }),
  };
}

/** Calls as they were made, where they are told apart; else the action as one command. An answer that only says something calls nothing. */
function actionOf({ number, action, observation, calls = [] }: Turn): object {
  if (calls.length > 0)
    return {
      tool_calls: calls.map(({ id, name, input }) => ({
        ...{ tool_call_id: id, function_name: name, arguments: input },
      })),
      observation: {
        results: calls.flatMap(({ id, answer }) =>
          answer === null ? [] : { source_call_id: id, content: answer },
        ),
      },
    };
  const isNothing = !action && !observation;
  const id = `call_${number}`;
  const result = action === null ? { content: observation } : { source_call_id: id, content: observation };
  return known({
    tool_calls:
      action === null || isNothing
        ? undefined
        : [{ tool_call_id: id, function_name: "run", arguments: { command: action } }],
    observation: observation === null || isNothing ? undefined : { results: [result] },
  });
}

/** The format counts what was cached among the prompt's tokens. */
function promptOf({ input, cached }: { input?: number; cached?: number }): number | undefined {
  return input === undefined ? undefined : input + (cached ?? 0);
}
