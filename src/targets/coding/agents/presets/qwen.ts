import { numberAt } from "../../../../core/nest-params.ts";
import { definePreset } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { geminiServers } from "../mcp-servers.ts";
import { countToolUses, jsonLines } from "../read-output.ts";

/** `qwen --prompt` with a JSON event a line, as Claude Code has them. */
export const qwen = definePreset({
  name: "qwen",
  title: "Qwen Code, `qwen --prompt`",
  // Its file has another name in each generation.
  npm: { name: "@qwen-code/qwen-code", tried: "0.15.10", program: ".bin/qwen" },
  command: [
    ...["qwen", "--yolo", "--auth-type", "openai", "--output-format", "stream-json"],
    ...[["--model", "${model}"], ARGS, "--prompt", "${prompt}"],
  ],
  env: { OPENAI_BASE_URL: "${gateway}/v1", OPENAI_API_KEY: STAND_IN },
  keys: ["OPENAI_API_KEY", "OPENAI_BASE_URL"],
  vendor: "openai",
  needsModel: true,
  settings: () => ({
    ".qwen/settings.json": {
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    },
  }),
  mcp: (servers) => ({ settings: { ".qwen/settings.json": geminiServers(servers) } }),
  readUsage({ stdout, isWhole }) {
    const events = [...jsonLines(stdout)];
    const result = events.findLast(({ type }) => type === "result");
    return {
      tokensTotal: numberAt(result?.usage, "total_tokens") ?? null,
      toolCalls: isWhole ? countToolUses(events) : null,
      costUsd: null,
    };
  },
});
