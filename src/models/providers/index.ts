import { openFamily } from "../../core/family.ts";
import type { ModelSpec } from "../model-spec.ts";
import { anthropicCompatible, openaiCompatible } from "./compatible.ts";
import { anthropic, bedrock, deepseek, openai } from "./hosted.ts";
import type { Provider } from "./provider.ts";

const HOSTED = openFamily<Provider>("model", {
  openai,
  deepseek,
  anthropic,
  bedrock,
  "anthropic-compatible": anthropicCompatible,
});

/** Who serves a model; undefined for what needs no network. */
export function findProvider({ provider, endpoint }: ModelSpec): Provider | undefined {
  return provider === "openai-compatible" ? openaiCompatible(endpoint) : HOSTED[provider];
}

/** Every variable that some provider reads: what of a `.env` file is taken. */
export function modelVariables(presets: Iterable<ModelSpec["endpoint"]>): Set<string> {
  const providers = [...Object.values(HOSTED), openaiCompatible(undefined)];
  for (const endpoint of presets) if (endpoint) providers.push(openaiCompatible(endpoint));
  return new Set(providers.flatMap(({ ways, optional }) => [...ways.flat(), ...optional]));
}
