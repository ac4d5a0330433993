import { numberAt, valueAt } from "../../../../core/nest-params.ts";
import { definePreset, sumOrUnknown } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { jsonLines } from "../read-output.ts";

const PROVIDER = "openai-compatible";

/** `cline --json` with a JSON event a line: the last one has all tokens. */
export const cline = definePreset({
  name: "cline",
  title: "Cline's CLI, `cline --json`",
  npm: { name: "cline", tried: "3.0.65", program: "cline/bin/cline" },
  command: ["cline", "--json", "-P", PROVIDER, "-m", "${model}", ARGS, "--", "${prompt}"],
  // Otherwise it leaves a daemon behind, which goes on after it.
  env: { CLINE_SESSION_BACKEND_MODE: "local" },
  vendor: "openai",
  needsModel: true,
  needsGateway: true,
  settings: ({ gateway, model }) => ({
    ".cline/data/settings/providers.json": {
      version: 1,
      lastUsedProvider: PROVIDER,
      modes: {},
      providers: {
        [PROVIDER]: {
          settings: { provider: PROVIDER, apiKey: STAND_IN, model, baseUrl: `${gateway}/v1` },
          updatedAt: "2026-01-01T00:00:00.000Z",
          tokenSource: "manual",
        },
      },
    },
  }),
  readUsage({ stdout, isWhole }) {
    const events = [...jsonLines(stdout)];
    const usage = events.findLast(({ type }) => type === "run_result")?.aggregateUsage;
    const rounds = events
      .map(({ event }) => event)
      .filter((event) => valueAt(event, "type") === "iteration_end");
    return {
      tokensTotal: sumOrUnknown(
        usage === undefined ? [] : [[numberAt(usage, "inputTokens"), numberAt(usage, "outputTokens")]],
        true,
      ),
      toolCalls: sumOrUnknown(
        rounds.map((event) => [numberAt(event, "toolCallCount")]),
        isWhole,
      ),
      costUsd: null,
    };
  },
});
