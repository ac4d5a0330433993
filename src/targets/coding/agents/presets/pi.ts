import { numberAt, valueAt } from "../../../../core/nest-params.ts";
import { definePreset, sumOrUnknown } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { jsonLines } from "../read-output.ts";

/** `pi --print` with a JSON event a line; each message of the model's tells its tokens. */
export const pi = definePreset({
  name: "pi",
  title: "Pi, `pi --print`",
  npm: {
    name: "@earendil-works/pi-coding-agent",
    tried: "0.74.2",
    program: "@earendil-works/pi-coding-agent/dist/cli.js",
  },
  command: [
    ...["pi", "--print", "--mode", "json", "--no-session", "--provider", "assay", "--model", "${model}"],
    ...[ARGS, "${prompt}"],
  ],
  env: { PI_OFFLINE: "1" },
  vendor: "openai",
  needsModel: true,
  needsGateway: true,
  settings: ({ gateway, model }) => ({
    ".pi/agent/models.json": {
      providers: {
        assay: {
          baseUrl: `${gateway}/v1`,
          api: "openai-completions",
          apiKey: STAND_IN,
          models: [{ id: model }],
        },
      },
    },
  }),
  readUsage({ stdout, isWhole }) {
    const events = [...jsonLines(stdout)];
    const answers = events.filter(
      ({ type, message }) => type === "message_end" && valueAt(message, "role") === "assistant",
    );
    return {
      tokensTotal: sumOrUnknown(
        answers.map(({ message }) => [numberAt(message, "usage", "totalTokens")]),
        isWhole,
      ),
      toolCalls:
        isWhole && events.length > 0
          ? events.filter(({ type }) => type === "tool_execution_start").length
          : null,
      costUsd: null,
    };
  },
});
