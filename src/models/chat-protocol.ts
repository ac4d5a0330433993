import type { Message, ToolCall } from "../core/message.ts";
import type { CallResult } from "./caller.ts";
import type { ModelRequest, ToolSpec } from "./model.ts";

interface WireMessage {
  role: Message["role"] | "developer";
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A request as OpenAI's chat protocol has it, as ours. What a message is for does not travel: the prompt must do. */
export function readCompletionRequest(body: Record<string, unknown>, signal: AbortSignal): ModelRequest {
  const tools = (body.tools ?? []) as {
    function: { name: string; description?: string; parameters?: ToolSpec["input"] };
  }[];
  return {
    messages: ((body.messages ?? []) as WireMessage[]).map(readMessage),
    tools: tools.map(({ function: { name, description = "", parameters = {} } }) => ({
      name,
      description,
      input: parameters,
    })),
    purpose: tools.length > 0 ? "agent" : "summary",
    seed: typeof body.seed === "number" ? body.seed : 0,
    signal,
  };
}

function readMessage({ role, content, tool_calls, tool_call_id }: WireMessage): Message {
  const text =
    typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  return {
    role: role === "developer" ? "system" : role,
    text,
    kind: role === "assistant" ? "action" : role === "tool" ? "observation" : "task",
    turn: 0,
    ...(tool_calls && { toolCalls: tool_calls.map(readCall) }),
    ...(tool_call_id && { toolCallId: tool_call_id }),
  };
}

function readCall({
  id,
  function: { name, arguments: text },
}: NonNullable<WireMessage["tool_calls"]>[0]): ToolCall {
  return { id, name, input: JSON.parse(text || "{}") as Record<string, unknown> };
}

function wireCalls({ toolCalls = [] }: Message) {
  return toolCalls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
}

function wireUsage({ usage }: CallResult) {
  if (!usage) return undefined;
  const { input, cached, output, reasoning } = usage;
  return {
    prompt_tokens: input + cached,
    completion_tokens: output,
    total_tokens: input + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
    // As DeepSeek's clients read it.
    prompt_cache_hit_tokens: cached,
    prompt_cache_miss_tokens: input,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

export function completionJson(id: string, model: string, result: CallResult): unknown {
  const { message } = result;
  const calls = wireCalls(message).map(({ index, ...call }) => call);
  const wire = { role: "assistant", content: message.text, ...(calls.length > 0 && { tool_calls: calls }) };
  const choice = { index: 0, message: wire, finish_reason: finishReason(result) };
  return { id, object: "chat.completion", created: 0, model, choices: [choice], usage: wireUsage(result) };
}

/** The same as server-sent events: the text by words, then the calls, then the usage. */
export function completionChunks(id: string, model: string, result: CallResult): string {
  const base = { id, object: "chat.completion.chunk", created: 0, model };
  const delta = (part: unknown, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta: part, finish_reason: finish }],
  });
  const words = result.message.text.match(/\S+\s*|\s+/g) ?? [];
  const chunks: unknown[] = [
    delta({ role: "assistant", content: "" }),
    ...words.map((content) => delta({ content })),
    ...wireCalls(result.message).map((call) => delta({ tool_calls: [call] })),
    delta({}, finishReason(result)),
    { ...base, choices: [], usage: wireUsage(result) },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function finishReason({ finish }: CallResult): string {
  return finish === "tools" ? "tool_calls" : finish === "filter" ? "content_filter" : finish;
}
