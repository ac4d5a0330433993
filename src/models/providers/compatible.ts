import type { Endpoint } from "../model-spec.ts";
import type { Provider } from "./provider.ts";

const NO_KEY = "none";

/** Any server that speaks OpenAI's chat protocol: a vendor of the presets, or one on this machine without a key. */
export function openaiCompatible(endpoint: Endpoint | undefined): Provider {
  const accounts = endpoint?.accounts ?? { OPENAI_COMPATIBLE_API_KEY: "" };
  const keyVariables = Object.keys(accounts);
  return {
    vendor: { trace: endpoint?.vendor ?? "openai_compatible", prices: endpoint?.vendor ?? "" },
    ways: endpoint ? keyVariables.map((name) => [name]) : [["OPENAI_COMPATIBLE_BASE_URL"]],
    optional: keyVariables,
    async connect({ modelId }, { env, baseUrl }) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const keyVariable = keyVariables.find((name) => env[name]);
      return createOpenAICompatible({
        name: endpoint?.vendor ?? "openai-compatible",
        baseURL: baseUrl ?? ((keyVariable && accounts[keyVariable]) || env.OPENAI_COMPATIBLE_BASE_URL!),
        ...(keyVariable && { apiKey: env[keyVariable]! }),
        includeUsage: true,
      })(modelId);
    },
  };
}

/** Any server that speaks Anthropic's protocol. */
export const anthropicCompatible: Provider = {
  vendor: { trace: "anthropic_compatible", prices: "" },
  ways: [["ANTHROPIC_COMPATIBLE_BASE_URL"]],
  optional: ["ANTHROPIC_COMPATIBLE_API_KEY"],
  async connect({ modelId }, { env, baseUrl }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({
      baseURL: baseUrl ?? env.ANTHROPIC_COMPATIBLE_BASE_URL!,
      apiKey: env.ANTHROPIC_COMPATIBLE_API_KEY ?? NO_KEY,
    })(modelId);
  },
};
