import { numberAt, valueAt } from "../../core/nest-params.ts";
import {
  inputOf,
  type Json,
  listOf,
  messageOfError,
  modelIn,
  type Protocol,
  type Said,
  textOf,
  wordAt,
} from "./protocol.ts";

/** OpenAI Chat Completions, which most other providers speak, too. */
export const chat: Protocol = {
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
  refusalStatus: 402,
  refusal: (text) => ({ error: { message: text, type: "insufficient_quota", code: "insufficient_quota" } }),
  readPrompt: (body) => ({
    messages: listOf(body.messages).map(readMessage),
    tools: listOf(body.tools).map((tool) => wordAt(tool, "function", "name")),
  }),
  addAnswer(answer, event) {
    const [choice] = listOf(event.choices);
    const said = valueAt(choice, "delta") ?? valueAt(choice, "message");
    const text = wordAt(said, "content");
    if (text !== "") answer.part(0, "text").text += text;
    const thought = wordAt(said, "reasoning_content") || wordAt(said, "reasoning");
    if (thought !== "") answer.part(0, "thought").text += thought;
    for (const [i, call] of listOf(valueAt(said, "tool_calls")).entries()) {
      const part = answer.part(numberAt(call, "index") ?? i, "call");
      part.id ||= wordAt(call, "id");
      part.name ||= wordAt(call, "function", "name");
      part.text += wordAt(call, "function", "arguments");
    }
  },
};

function readMessage(message: Json): Said {
  const text = textOf(message.content);
  if (message.role === "system" || message.role === "developer") return { role: "system", text };
  if (message.role === "tool") return { role: "tool", text, toolCallId: wordAt(message, "tool_call_id") };
  if (message.role !== "assistant") return { role: "user", text };
  const toolCalls = listOf(message.tool_calls).map((call) => ({
    id: wordAt(call, "id"),
    name: wordAt(call, "function", "name"),
    input: inputOf(valueAt(call, "function", "arguments")),
  }));
  return { role: "assistant", text, ...(toolCalls.length > 0 && { toolCalls }) };
}
