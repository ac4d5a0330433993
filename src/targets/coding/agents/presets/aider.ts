import type { AgentPreset } from "../agent.ts";
import { sumOrUnknown } from "../define-preset.ts";
import { createProgramAgent } from "../program-agent.ts";

const REPORT = /Tokens: ([\d.,]+k?M?) sent,.*?([\d.,]+k?M?) received\.(?: Cost: \$([\d.]+) message)?/g;

/** `aider --message-file`: after each answer it prints what that took, in round numbers. It calls no tools. */
export const aider: AgentPreset = {
  name: "aider",
  description: "Aider, with --message-file (written by its documentation; untested here)",
  create: () =>
    createProgramAgent({
      name: "aider",
      command: [
        ...[
          "aider",
          "--yes-always",
          "--no-auto-commits",
          "--no-gitignore",
          "--no-check-update",
          "--no-stream",
        ],
        ...[
          "--no-pretty",
          "--analytics-disable",
          ["--model", "${model}"],
          "--message-file",
          "${prompt_file}",
        ],
      ],
      clutter: /^\.aider/,
      keys: [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "DEEPSEEK_API_KEY",
        "OPENROUTER_API_KEY",
      ],
      readUsage({ stdout, isWhole }) {
        const reports = [...stdout.matchAll(REPORT)];
        return {
          tokensTotal: sumOrUnknown(
            reports.map(([, sent, received]) => [roundNumber(sent!), roundNumber(received!)]),
            isWhole,
          ),
          toolCalls: null,
          costUsd: sumOrUnknown(
            reports.map(([, , , cost]) => [cost === undefined ? undefined : Number(cost)]),
            isWhole,
          ),
        };
      },
    }),
};

/** `47k`, `2.5k`, `1,250`. */
function roundNumber(text: string): number {
  const factor = text.endsWith("M") ? 1e6 : text.endsWith("k") ? 1e3 : 1;
  return Number(text.replaceAll(/[,kM]/g, "")) * factor;
}
