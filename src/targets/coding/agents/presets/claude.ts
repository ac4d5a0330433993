import { numberAt } from "../../../../core/nest-params.ts";
import { definePreset, sumOrUnknown } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { mcpServers } from "../mcp-servers.ts";
import { countToolUses, jsonLines } from "../read-output.ts";

/** `claude --print` with a JSON event a line: the last one has the whole cost and all tokens. */
export const claude = definePreset({
  name: "claude",
  title: "Anthropic's Claude Code, `claude --print`",
  npm: {
    name: "@anthropic-ai/claude-code",
    tried: "2.1.197",
    program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  },
  command: [
    ...["claude", "--print", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"],
    ...[["--model", "${model}"], ARGS, "${prompt}"],
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
  subscription: "CLAUDE_CODE_OAUTH_TOKEN",
  mcp: (servers) => ({ settings: { ".claude.json": mcpServers(servers) } }),
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
      toolCalls: isWhole ? countToolUses(events) : null,
      costUsd: numberAt(result, "total_cost_usd") ?? null,
    };
  },
});
