import type { ToolCall } from "../../../src/core/message.ts";
import type { Model, ModelRequest } from "../../../src/models/model.ts";

export type Said = { text?: string; call?: Omit<ToolCall, "id">; calls?: Omit<ToolCall, "id">[] };

/** A model that says what it is told to; each call costs one cent and a token a word. Its requests are kept. */
export function aModel(
  say: (turn: number, request: ModelRequest) => Said | Error,
  { contextTokens = 100_000, costUsd = 0.01 as number | null } = {},
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const words = (request: Pick<ModelRequest, "messages">) =>
    request.messages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  return {
    name: "test",
    contextTokens,
    requests,
    countTokens: (messages) => words({ messages }),
    async complete(request) {
      requests.push({ ...request, messages: [...request.messages] });
      const agentCalls = requests.filter(({ purpose }) => purpose === request.purpose).length;
      const said = say(agentCalls, request);
      if (said instanceof Error) throw said;
      const calls = said.calls ?? (said.call ? [said.call] : []);
      return {
        message: {
          role: "assistant",
          text: said.text ?? "",
          ...(calls.length > 0 && {
            toolCalls: calls.map((call, i) => ({ id: `c${agentCalls}-${i}`, ...call })),
          }),
          kind: "action",
          turn: 0,
        },
        usage: { input: words(request), cached: 0, output: 1, reasoning: 0 },
        costUsd,
        finish: calls.length > 0 ? "tools" : "stop",
        tries: 1,
        wallMs: 0,
      };
    },
  };
}

export const bash = (command: string): Said => ({ call: { name: "bash", input: { command } } });
export const submit: Said = { call: { name: "submit", input: {} } };
