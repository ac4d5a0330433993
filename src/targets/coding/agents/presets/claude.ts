import { numberAt, valueAt } from "../../../../core/value-at.ts";
import type { AgentPreset } from "../agent.ts";
import { STAND_IN } from "../fill-words.ts";
import { createProgramAgent } from "../program-agent.ts";
import { jsonLines } from "../read-output.ts";
import { sumOrUnknown } from "../sum-or-unknown.ts";

/** `claude --print` with a JSON event a line: the last one has the whole cost and all tokens. */
export const claude: AgentPreset = {
  name: "claude",
  description: "Anthropic's Claude Code, `claude --print`; tried with 2.1.197",
  create: () =>
    createProgramAgent({
      name: "claude",
      command: [
        ...[
          "claude",
          "--print",
          "--output-format",
          "stream-json",
          "--verbose",
          "--dangerously-skip-permissions",
        ],
        ["--model", "${model}"],
        "${prompt}",
      ],
      // As root it wants to be told that it is in a sandbox.
      env: {
        IS_SANDBOX: "1",
        DISABLE_AUTOUPDATER: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ANTHROPIC_BASE_URL: "${gateway}",
        ANTHROPIC_API_KEY: STAND_IN,
      },
      keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"],
      vendor: "anthropic",
      readUsage({ stdout, isWhole }) {
        const events = [...jsonLines(stdout)];
        const result = events.findLast(({ type }) => type === "result");
        const usage = result?.usage;
        const cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
        return {
          tokensTotal: sumOrUnknown(
            usage === undefined
              ? []
              : [
                  [numberAt(usage, "input_tokens"), numberAt(usage, "output_tokens")],
                  cached.map((name) => numberAt(usage, name) ?? 0),
                ],
            true,
          ),
          toolCalls: isWhole && events.length > 0 ? countToolCalls(events) : null,
          costUsd: numberAt(result, "total_cost_usd") ?? null,
        };
      },
    }),
};

/** A message may come in several events, each with other blocks; a call is known by its id. */
function countToolCalls(events: readonly Record<string, unknown>[]): number {
  const ids = new Set<unknown>();
  for (const { type, message } of events) {
    const content = type === "assistant" ? valueAt(message, "content") : undefined;
    if (!Array.isArray(content)) continue;
    for (const block of content) if (valueAt(block, "type") === "tool_use") ids.add(valueAt(block, "id"));
  }
  return ids.size;
}
