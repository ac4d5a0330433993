import type { AgentPreset } from "../agent.ts";
import { createProgramAgent } from "../program-agent.ts";
import { jsonLines, numberAt, valueAt } from "../read-output.ts";
import { sumOrUnknown } from "../sum-or-unknown.ts";

const TOOLS = new Set(["command_execution", "file_change", "mcp_tool_call", "web_search"]);

/** `codex exec --json`: one event a line; each turn tells its tokens, none its cost. Its sandbox is left to ours. */
export const codex: AgentPreset = {
  name: "codex",
  description: "OpenAI's Codex CLI, `codex exec` (written by its documentation; untested here)",
  create: () =>
    createProgramAgent({
      name: "codex",
      command: [
        ...["codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
        ["--model", "${model}"],
        ...["--cd", "${repo}", "--", "${prompt}"],
      ],
      keys: ["OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL"],
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
    }),
};
