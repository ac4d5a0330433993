import type { ModelMessage } from "ai";
import type { Message, ToolCall } from "../core/message.ts";

/**
 * Our messages as the `ai` package takes them. Providers refuse calls without answers and answers without calls, which
 * a context strategy may leave: these go as plain text.
 */
export function toSdkMessages(messages: readonly Message[]): ModelMessage[] {
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
  const called = new Map<string, string>();
  return messages.flatMap((message): ModelMessage[] => {
    const { role, text, toolCallId } = message;
    if (role === "assistant") {
      const calls = message.toolCalls ?? [];
      const open = calls.filter(({ id }) => answered.has(id));
      for (const { id, name } of open) called.set(id, name);
      return assistantMessage([text, ...calls.filter((call) => !open.includes(call)).map(callText)], open);
    }
    if (text === "" && role !== "tool") return [];
    if (role !== "tool") return [{ role, content: text }];
    const toolName = called.get(toolCallId ?? "");
    if (toolName === undefined) return [{ role: "user", content: text || "(no output)" }];
    const output = { type: "text" as const, value: text };
    return [{ role, content: [{ type: "tool-result", toolCallId: toolCallId!, toolName, output }] }];
  });
}

function assistantMessage(texts: readonly string[], calls: readonly ToolCall[]): ModelMessage[] {
  const text = texts.filter(Boolean).join("\n");
  const parts = calls.map(({ id, name, input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input,
  }));
  if (!text && parts.length === 0) return [];
  return [{ role: "assistant", content: text ? [{ type: "text", text }, ...parts] : parts }];
}

function callText({ name, input }: ToolCall): string {
  return `[${name} ${JSON.stringify(input)}]`;
}
