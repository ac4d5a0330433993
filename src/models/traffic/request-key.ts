import { canonicalJson, hashText } from "../../core/hash.ts";
import type { Redactor } from "../../core/redact.ts";
import type { ModelRequest } from "../model.ts";

/** What of a request decides the answer, without secrets. */
export type PlainRequest = Pick<ModelRequest, "messages" | "tools" | "purpose" | "seed"> &
  Partial<Pick<ModelRequest, "maxOutputTokens" | "temperature">>;

export function plainRequest(request: ModelRequest, redactor: Redactor): PlainRequest {
  const { messages, tools, purpose, seed, maxOutputTokens, temperature } = request;
  const plain = {
    // Whose turn a message belongs to and what it is for never reach a provider.
    messages: messages.map(({ role, text, toolCalls, toolCallId }) => ({
      role,
      text,
      toolCalls,
      toolCallId,
    })),
    tools,
    purpose,
    seed,
    maxOutputTokens,
    temperature,
  };
  return JSON.parse(redactor.toJson(plain)) as PlainRequest;
}

export function requestKey(request: PlainRequest): string {
  return hashText(canonicalJson(request)).slice(0, 32);
}
