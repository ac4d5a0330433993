import { numberAt, valueAt } from "../../../../core/value-at.ts";
import type { AgentPreset } from "../agent.ts";
import { createProgramAgent } from "../program-agent.ts";
import { sumOrUnknown } from "../sum-or-unknown.ts";

/** `gemini --prompt` with one JSON object at its end, which has the tokens of each model and all calls of tools. */
export const gemini: AgentPreset = {
  name: "gemini",
  description: "Google's Gemini CLI, `gemini --prompt` (written by its documentation; untested here)",
  create: () =>
    createProgramAgent({
      name: "gemini",
      command: [
        "gemini",
        "--yolo",
        "--output-format",
        "json",
        ["--model", "${model}"],
        "--prompt",
        "${prompt}",
      ],
      keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
      readUsage({ stdout, isWhole }) {
        const stats = valueAt(lastObject(stdout), "stats");
        const models = Object.values((valueAt(stats, "models") as object | undefined) ?? {});
        return {
          tokensTotal: sumOrUnknown(
            models.map((model) => [numberAt(model, "tokens", "total")]),
            isWhole,
          ),
          toolCalls: numberAt(stats, "tools", "totalCalls") ?? null,
          costUsd: null,
        };
      },
    }),
};

/** What it prints before its answer, such as notices, is passed over. */
function lastObject(text: string): unknown {
  for (const match of text.matchAll(/^\{/gm)) {
    try {
      return JSON.parse(text.slice(match.index));
    } catch {
      // Something of the same look before it.
    }
  }
  return undefined;
}
