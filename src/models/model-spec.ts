import { UserError } from "../core/errors.ts";
import { ownMembers } from "../core/family.ts";
import { suggestion } from "../core/suggest.ts";

/** What a study's `model` parameter names, taken apart. */
export interface ModelSpec {
  /** As users and reports write it. */
  name: string;
  /** One of PROVIDERS, or of the user's plugins. */
  provider: string;
  /** As the provider knows the model; of a replay the file. */
  modelId: string;
  /** What a preset knows about its endpoint. */
  endpoint?: Endpoint;
}

export interface Endpoint {
  /** Whose endpoint it is, as the price table and traces name it. */
  vendor: string;
  /** The variables that may hold a key, and the address where each is good. */
  accounts: Record<string, string>;
}

export const PROVIDERS = [
  "openai",
  "deepseek",
  "anthropic",
  "bedrock",
  "openai-compatible",
  "anthropic-compatible",
  "scripted",
  "replay",
] as const;

/** Short names for models that studies of context strategies use. */
export const PRESETS: Record<string, Omit<ModelSpec, "name">> = {
  scripted: { provider: "scripted", modelId: "coder" },
  "deepseek-chat": { provider: "deepseek", modelId: "deepseek-chat" },
  "gpt-4o-mini": { provider: "openai", modelId: "gpt-4o-mini" },
  "glm-4.6": {
    provider: "openai-compatible",
    modelId: "glm-4.6",
    endpoint: {
      vendor: "zai",
      accounts: {
        ZAI_API_KEY: "https://api.z.ai/api/paas/v4",
        ZHIPUAI_API_KEY: "https://open.bigmodel.cn/api/paas/v4",
      },
    },
  },
  "kimi-k2": {
    provider: "openai-compatible",
    modelId: "kimi-k2-0905-preview",
    endpoint: { vendor: "moonshotai", accounts: { MOONSHOT_API_KEY: "https://api.moonshot.ai/v1" } },
  },
  // Taken from its vendor's pages; nobody here had a key to try it.
  "minimax-m2": {
    provider: "openai-compatible",
    modelId: "MiniMax-M2",
    endpoint: { vendor: "minimax", accounts: { MINIMAX_API_KEY: "https://api.minimax.io/v1" } },
  },
  "bedrock-qwen3-32b": { provider: "bedrock", modelId: "qwen.qwen3-32b-v1:0" },
  "bedrock-nova-pro": { provider: "bedrock", modelId: "amazon.nova-pro-v1:0" },
};

/** Reads a preset's name or `provider:model`. */
export function parseModelSpec(text: string): ModelSpec {
  const preset = Object.hasOwn(PRESETS, text) ? PRESETS[text] : undefined;
  if (preset) return { name: text, ...preset };
  const colon = text.indexOf(":");
  const providers = [...PROVIDERS, ...ownMembers("model").map(({ name }) => name)];
  const provider = providers.find((name) => name === text.slice(0, colon));
  const modelId = text.slice(colon + 1);
  if (colon > 0 && provider && modelId) return { name: text, provider, modelId };
  const known = [...Object.keys(PRESETS), ...providers.map((name) => `${name}:`)];
  throw new UserError("no such model", {
    expected: `${Object.keys(PRESETS).join(", ")}, or provider:model with ${providers.join(", ")}`,
    got: JSON.stringify(text),
    remedy: suggestion(colon > 0 ? text.slice(0, colon + 1) : text, known),
  });
}
