import { numberAt, valueAt } from "../../../../core/value-at.ts";
import type { AgentPreset } from "../agent.ts";
import { createProgramAgent } from "../program-agent.ts";
import { jsonLines } from "../read-output.ts";
import { sumOrUnknown } from "../sum-or-unknown.ts";

/** `opencode run --format json`: one event a line; each step tells its tokens and its cost. */
export const opencode: AgentPreset = {
  name: "opencode",
  description:
    "OpenCode, `opencode run`; model as provider/model (written by its documentation; untested here)",
  create: () =>
    createProgramAgent({
      name: "opencode",
      command: ["opencode", "run", "--format", "json", ["--model", "${model}"], "--", "${prompt}"],
      env: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
      keys: [
        "ANTHROPIC_API_KEY",
        "OPENAI_API_KEY",
        "OPENROUTER_API_KEY",
        "GEMINI_API_KEY",
        "DEEPSEEK_API_KEY",
      ],
      readUsage({ stdout, isWhole }) {
        const events = [...jsonLines(stdout)];
        const steps = events.filter(({ type }) => type === "step_finish").map(({ part }) => part);
        return {
          tokensTotal: sumOrUnknown(
            steps.map((step) => {
              const tokens = valueAt(step, "tokens");
              const beside = [["reasoning"], ["cache", "read"], ["cache", "write"]];
              return [
                numberAt(tokens, "input"),
                numberAt(tokens, "output"),
                ...beside.map((keys) => numberAt(tokens, ...keys) ?? 0),
              ];
            }),
            isWhole,
          ),
          toolCalls:
            isWhole && events.length > 0 ? events.filter(({ type }) => type === "tool_use").length : null,
          costUsd: sumOrUnknown(
            steps.map((step) => [numberAt(step, "cost")]),
            isWhole,
          ),
        };
      },
    }),
};
