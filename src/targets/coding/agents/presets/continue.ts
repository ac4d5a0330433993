import { UNKNOWN_USAGE } from "../agent.ts";
import { definePreset } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";

/** `cn --print`: it prints its last answer and nothing about its work; what that took is known from its calls. */
export const continueDev = definePreset({
  name: "continue",
  title: "Continue's CLI, `cn --print`",
  npm: { name: "@continuedev/cli", tried: "1.5.47", program: "@continuedev/cli/dist/cn.js" },
  command: ["cn", "--print", "--format", "json", "--auto", ARGS, "${prompt}"],
  env: { CONTINUE_METRICS_ENABLED: "0", CONTINUE_CLI_ENABLE_TELEMETRY: "0" },
  vendor: "openai",
  needsModel: true,
  needsGateway: true,
  settings: ({ gateway, model }) => ({
    ".continue/config.yaml": {
      ...{ name: "assay", version: "1.0.0", schema: "v1" },
      models: [
        {
          ...{ name: model, provider: "openai", model, roles: ["chat"] },
          ...{ apiBase: `${gateway}/v1`, apiKey: STAND_IN },
        },
      ],
    },
  }),
  readUsage: () => UNKNOWN_USAGE,
});
