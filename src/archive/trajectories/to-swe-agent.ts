import type { Account, Trajectory, Turn } from "../../core/trajectory.ts";
import { known } from "./json-fields.ts";

/** A trajectory in SWE-agent's format, with the statistics of turns that its fork has. */
export function toSweAgent(trajectory: Trajectory): object {
  const {
    instance,
    model,
    exitStatus,
    submission,
    turns,
    totals,
    parts,
    opening = [],
    summaries,
  } = trajectory;
  const history = [
    ...opening.map(({ role, text, kind }) => ({
      role,
      content: text,
      message_type: kind === "system" ? "system_prompt" : kind === "demo" ? "demonstration" : "observation",
      ...(kind === "demo" && { is_demo: true }),
    })),
    ...turns.flatMap(messagesOf),
  ];
  return {
    environment: instance ?? "",
    trajectory: turns.map(stepOf),
    history,
    info: known({
      exit_status: exitStatus,
      submission,
      resolved: trajectory.isResolved,
      model: model ?? undefined,
      wall_ms: totals.wallMs,
      model_stats: statsOf(totals),
      agent_model_stats: parts?.agent && statsOf(parts.agent),
      summary_model_stats: parts?.summary && statsOf(parts.summary),
      rloop_model_stats: parts?.retry && statsOf(parts.retry),
    }),
    ...(summaries && { summaries: summaries.map((summary) => ({ summary })) }),
  };
}

function stepOf({ thought, action, observation, usage, costUsd, modelMs, toolMs, context }: Turn): object {
  const tokens = usage && tokensOf(usage);
  const stats = known({ cost: costUsd, tokens, inference_time: modelMs });
  return {
    action: action ?? "",
    observation: observation ?? "",
    response: [thought, action].filter((text) => text !== null).join("\n"),
    thought: thought ?? "",
    state: {},
    ...known({ execution_time: toolMs === undefined ? undefined : toolMs / 1000 }),
    ...(Object.keys(stats).length > 0 && { turn_statistics: stats }),
    extra_info: context
      ? {
          context: known({
            masked: context.masked,
            checkpoint: context.checkpoint,
            prompt_tokens: context.promptTokens,
          }),
        }
      : {},
  };
}

function messagesOf({ thought, action, observation }: Turn): object[] {
  const content = [thought, action].filter((text) => text !== null).join("\n");
  const answer = { role: "assistant", content, thought, action, message_type: "action" };
  return observation === null
    ? [answer]
    : [answer, { role: "user", content: observation, message_type: "observation" }];
}

function statsOf(account: Account): object {
  const tokens = tokensOf(account);
  return known({
    instance_cost: account.costUsd,
    tokens_sent: account.input === undefined ? undefined : account.input + (account.cached ?? 0),
    tokens_received: account.output,
    api_calls: account.calls,
    tokens: Object.keys(tokens).length === 0 ? undefined : tokens,
  });
}

function tokensOf({ input, cached, output, reasoning }: Account): object {
  return known({ raw_input: input, cached_input: cached, output, internal_reasoning: reasoning });
}
