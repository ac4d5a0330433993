import type { LanguageModel, LanguageModelUsage, ToolSet } from "ai";
import type { Usage } from "../core/trajectory.ts";
import { CallFailure } from "./call-failure.ts";
import type { Caller } from "./caller.ts";
import type { ModelAnswer } from "./model.ts";
import { toSdkMessages } from "./sdk-messages.ts";

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
