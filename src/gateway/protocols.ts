import type { Usage } from "../core/trajectory.ts";
import { numberAt, valueAt } from "../core/value-at.ts";

type Json = Record<string, unknown>;

/** How agents and providers talk: what is a call, what its answer says of tokens, and how a call is refused. */
export interface Protocol {
  name: string;
  /** Whose models they are, as the price table knows it. */
  vendor: "openai" | "anthropic" | "google";
  /** The path of a call that asks a model for an answer. */
  calls: RegExp;
  /** Paths that belong to it without being such calls: lists of models, counts of tokens. */
  asks: RegExp;
  modelOf(path: string, body: Json): string | null;
  /** The most tokens that the answer may have, where the request says so. */
  mostOutput(body: Json): number | undefined;
  /** Tokens after one more event of a stream, or after a whole answer. */
  addUsage(usage: Usage | null, event: Json): Usage | null;
  /** What an event or an answer says went wrong though its status was good. */
  errorIn(event: Json): string | undefined;
  /** A refusal, as the agent's own library understands it. */
  refusal(text: string): Json;
}

const modelIn = (_: string, body: Json) => (typeof body.model === "string" ? body.model : null);

const chat: Protocol = {
  name: "openai-chat",
  vendor: "openai",
  calls: /^\/v1\/chat\/completions$/,
  asks: /^\/v1\/models(\/|$)/,
  modelOf: modelIn,
  mostOutput: (body) => numberAt(body, "max_completion_tokens") ?? numberAt(body, "max_tokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "usage");
    const prompt = numberAt(told, "prompt_tokens");
    if (prompt === undefined) return usage;
    const cached = numberAt(told, "prompt_tokens_details", "cached_tokens") ?? 0;
    return {
      ...{ input: prompt - cached, cached, output: numberAt(told, "completion_tokens") ?? 0 },
      reasoning: numberAt(told, "completion_tokens_details", "reasoning_tokens") ?? 0,
    };
  },
  errorIn: messageOfError,
  refusal: (text) => ({ error: { message: text, type: "insufficient_quota", code: "insufficient_quota" } }),
};

const responses: Protocol = {
  name: "openai-responses",
  vendor: "openai",
  calls: /^\/v1\/responses$/,
  asks: /^\/v1\/responses\//,
  modelOf: modelIn,
  mostOutput: (body) => numberAt(body, "max_output_tokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "response", "usage") ?? valueAt(event, "usage");
    const input = numberAt(told, "input_tokens");
    if (input === undefined) return usage;
    const cached = numberAt(told, "input_tokens_details", "cached_tokens") ?? 0;
    return {
      ...{ input: input - cached, cached, output: numberAt(told, "output_tokens") ?? 0 },
      reasoning: numberAt(told, "output_tokens_details", "reasoning_tokens") ?? 0,
    };
  },
  errorIn: (event) =>
    event.type === "response.failed" ? messageOfError(valueAt(event, "response")) : messageOfError(event),
  refusal: chat.refusal,
};

const anthropic: Protocol = {
  name: "anthropic-messages",
  vendor: "anthropic",
  calls: /^\/v1\/messages$/,
  asks: /^\/v1\/messages\//,
  modelOf: modelIn,
  mostOutput: (body) => numberAt(body, "max_tokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "message", "usage") ?? valueAt(event, "usage");
    if (told === undefined) return usage;
    const before = usage ?? { input: 0, cached: 0, output: 0, reasoning: 0 };
    const input = numberAt(told, "input_tokens");
    const written = numberAt(told, "cache_creation_input_tokens") ?? 0;
    return {
      ...before,
      // The last event may tell of the answer alone.
      ...(input !== undefined && {
        input: input + written,
        cached: numberAt(told, "cache_read_input_tokens") ?? 0,
        ...(written > 0 && { cacheWritten: written }),
      }),
      output: numberAt(told, "output_tokens") ?? before.output,
    };
  },
  errorIn: messageOfError,
  refusal: (text) => ({ type: "error", error: { type: "billing_error", message: text } }),
};

const gemini: Protocol = {
  name: "gemini",
  vendor: "google",
  calls: /^\/v1(beta)?\/models\/[^/:]+:(generateContent|streamGenerateContent)$/,
  asks: /^\/v1beta\/|^\/v1\/models\/[^/:]+:/,
  modelOf: (path) => /\/models\/([^/:]+):/.exec(path)?.[1] ?? null,
  mostOutput: (body) => numberAt(body, "generationConfig", "maxOutputTokens"),
  addUsage(usage, event) {
    const told = valueAt(event, "usageMetadata");
    const prompt = numberAt(told, "promptTokenCount");
    if (prompt === undefined) return usage;
    const cached = numberAt(told, "cachedContentTokenCount") ?? 0;
    const reasoning = numberAt(told, "thoughtsTokenCount") ?? 0;
    return {
      ...{ input: prompt - cached, cached, reasoning },
      output: (numberAt(told, "candidatesTokenCount") ?? 0) + reasoning,
    };
  },
  errorIn: messageOfError,
  refusal: (text) => ({ error: { code: 402, status: "RESOURCE_EXHAUSTED", message: text } }),
};

export const PROTOCOLS: readonly Protocol[] = [responses, chat, anthropic, gemini];

function messageOfError(event: unknown): string | undefined {
  const error = valueAt(event, "error");
  if (error === undefined || error === null) return undefined;
  const [type, message] = [valueAt(error, "type") ?? valueAt(error, "code"), valueAt(error, "message")];
  return [type, message].filter((part) => typeof part === "string").join(": ") || "an error without a text";
}
