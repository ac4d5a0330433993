import { numberAt, valueAt } from "../../../../core/nest-params.ts";
import type { Vendor } from "../agent.ts";
import { definePreset, sumOrUnknown } from "../define-preset.ts";
import { ARGS, STAND_IN } from "../fill-words.ts";
import { opencodeServers } from "../mcp-servers.ts";
import { jsonLines } from "../read-output.ts";

/** Providers that it knows itself, and the path of each protocol. */
const PROVIDERS: Record<string, { vendor: Vendor; path: string }> = {
  openai: { vendor: "openai", path: "/v1" },
  anthropic: { vendor: "anthropic", path: "/v1" },
  google: { vendor: "google", path: "/v1beta" },
};
/** Chat Completions, for models that are named without a provider. */
const COMPATIBLE = "compatible";

/** `opencode run --format json`: one event a line; each step tells its tokens and its cost. */
export const opencode = definePreset({
  name: "opencode",
  title:
    "OpenCode, `opencode run`; model: openai/..., anthropic/..., google/..., or one of any server at OPENAI_BASE_URL",
  npm: {
    name: "opencode-ai",
    tried: "1.18.33",
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
  },
  // A title of its own saves a call that would make one.
  command: ["opencode", "run", "--format", "json", "--title", "${task_id}", ARGS, "--", "${prompt}"],
  env: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
  keys: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"],
  vendor: (model) => PROVIDERS[providerOf(model).provider]?.vendor ?? "openai",
  needsModel: true,
  settings({ gateway, model }) {
    const { provider, id } = providerOf(model);
    const { path } = PROVIDERS[provider] ?? PROVIDERS.openai!;
    const own = {
      ...(provider === COMPATIBLE && { npm: "@ai-sdk/openai-compatible" }),
      ...(gateway !== "" && { options: { baseURL: `${gateway}${path}`, apiKey: STAND_IN } }),
      // It may not know it.
      models: { [id]: {} },
    };
    return {
      ".config/opencode/opencode.json": {
        model: `${provider}/${id}`,
        small_model: `${provider}/${id}`,
        permission: "allow",
        provider: { [provider]: own },
      },
    };
  },
  mcp: (servers) => ({ settings: { ".config/opencode/opencode.json": opencodeServers(servers) } }),
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
});

function providerOf(model: string): { provider: string; id: string } {
  const [first, ...rest] = model.split("/");
  return rest.length > 0 && Object.hasOwn(PROVIDERS, first!)
    ? { provider: first!, id: rest.join("/") }
    : { provider: COMPATIBLE, id: model };
}
