import { numberAt, valueAt } from "../../../../core/nest-params.ts";
import { definePreset, sumOrUnknown } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { codexServers } from "../mcp-servers.ts";
import { jsonLines } from "../read-output.ts";

const TOOLS = new Set(["command_execution", "file_change", "mcp_tool_call", "web_search"]);

/** `codex exec --json`: one event a line; each turn tells its tokens, none its cost. Its sandbox is left to ours. */
export const codex = definePreset({
  name: "codex",
  title: "OpenAI's Codex CLI, `codex exec`",
  npm: { name: "@openai/codex", tried: "0.166.0", program: "@openai/codex/bin/codex.js" },
  command: [
    ...["codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    ["--model", "${model}"],
    // It reads no address from the environment.
    ["-c", "openai_base_url=${gateway}/v1"],
    ...[ARGS, "--cd", "${repo}", "--", "${prompt}"],
  ],
  env: { CODEX_API_KEY: STAND_IN },
  keys: ["OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL"],
  vendor: "openai",
  mcp: (servers) => ({ words: codexServers(servers) }),
  readUsage({ stdout, isWhole }) {
    const events = [...jsonLines(stdout)];
    const turns = events.filter(({ type }) => type === "turn.completed");
    const items = events.filter(({ type }) => type === "item.completed");
    return {
      // Cached tokens are a part of the input, reasoning of the output.
      tokensTotal: sumOrUnknown(
        turns.map(({ usage }) => [numberAt(usage, "input_tokens"), numberAt(usage, "output_tokens")]),
        isWhole,
      ),
      toolCalls:
        isWhole && events.length > 0
          ? items.filter(({ item }) => TOOLS.has(String(valueAt(item, "type")))).length
          : null,
      costUsd: null,
    };
  },
});
