import type { LanguageModel, LanguageModelUsage, ModelMessage, ToolSet } from "ai";
import type { Message, ToolCall } from "../core/message.ts";
import type { Usage } from "../core/trajectory.ts";
import { CallFailure } from "./call-failure.ts";
import type { Caller } from "./caller.ts";
import type { ModelAnswer } from "./model.ts";

const FINISH: Record<string, ModelAnswer["finish"]> = {
  stop: "stop",
  length: "length",
  "content-filter": "filter",
  "tool-calls": "tools",
};

/** Calls a model through the `ai` package, whose own retries are off. */
export function createSdkCaller(connect: () => Promise<LanguageModel>, timeoutMs: number): Caller {
  let connected: Promise<LanguageModel> | undefined;
  return async ({ messages, tools, seed, maxOutputTokens, temperature, signal }) => {
    const { generateText, jsonSchema, tool } = await import("ai");
    // It prints what a provider does not support, such as a seed.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    connected ??= connect();
    const toolSet: ToolSet = {};
    for (const { name, description, input } of tools)
      toolSet[name] = tool({ description, inputSchema: jsonSchema(input) });
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await generateText({
        model: await connected,
        messages: toSdkMessages(messages),
        allowSystemInMessages: true,
        tools: toolSet,
        seed,
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(temperature !== undefined && { temperature }),
        maxRetries: 0,
        abortSignal: AbortSignal.any([signal, late]),
      });
      const toolCalls = answer.toolCalls.map((call) => ({
        id: call.toolCallId,
        name: call.toolName,
        input: asInput(call.input),
      }));
      const message = { role: "assistant" as const, text: answer.text, kind: "action" as const, turn: 0 };
      return {
        message: toolCalls.length > 0 ? { ...message, toolCalls } : message,
        usage: readUsage(answer.usage),
        finish: FINISH[answer.finishReason] ?? "other",
      };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.aborted)
        throw new CallFailure(`no answer in ${timeoutMs / 1000} s`, {
          kind: "network",
          mayBeBilled: true,
        });
      throw error;
    }
  };
}

/** Arguments that are no JSON object reach the tool as they came, for it to refuse. */
function asInput(input: unknown): Record<string, unknown> {
  if (typeof input === "object" && input !== null && !Array.isArray(input))
    return input as Record<string, unknown>;
  return { invalid: input };
}

function readUsage({ inputTokens, outputTokens, ...more }: LanguageModelUsage): Usage | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cached = more.inputTokenDetails.cacheReadTokens ?? 0;
  const reasoning = more.outputTokenDetails.reasoningTokens ?? 0;
  return { input: Math.max(0, inputTokens - cached), cached, output: outputTokens, reasoning };
}

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
