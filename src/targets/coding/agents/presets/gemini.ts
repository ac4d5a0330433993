import { numberAt, valueAt } from "../../../../core/nest-params.ts";
import { definePreset } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { geminiServers } from "../mcp-servers.ts";
import { jsonLines } from "../read-output.ts";

/** `gemini --prompt` with a JSON event a line: the last one has all tokens and how often it used tools. */
export const gemini = definePreset({
  name: "gemini",
  title: "Google's Gemini CLI, `gemini --prompt`",
  npm: { name: "@google/gemini-cli", tried: "0.61.0", program: "@google/gemini-cli/bundle/gemini.js" },
  command: [
    ...["gemini", "--yolo", "--output-format", "stream-json", ["--model", "${model}"]],
    ...[ARGS, "--prompt", "${prompt}"],
  ],
  env: {
    // Without it, it ends with 55 in a folder that nobody has trusted by hand.
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GOOGLE_GEMINI_BASE_URL: "${gateway}",
    GEMINI_API_KEY: STAND_IN,
  },
  keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  vendor: "google",
  settings: () => ({
    ".gemini/settings.json": {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    },
  }),
  mcp: (servers) => ({ settings: { ".gemini/settings.json": geminiServers(servers) } }),
  readUsage({ stdout }) {
    const result = [...jsonLines(stdout)].findLast(({ type }) => type === "result");
    const stats = valueAt(result, "stats");
    return {
      tokensTotal: numberAt(stats, "total_tokens") ?? null,
      toolCalls: numberAt(stats, "tool_calls") ?? null,
      costUsd: null,
    };
  },
});
