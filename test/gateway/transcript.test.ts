import { describe, expect, test } from "vitest";
import { openGateway } from "../../src/gateway/gateway.ts";
import { Transcript } from "../../src/gateway/transcript.ts";
import type { Gate } from "../../src/models/gate/gate.ts";
import { aProvider } from "../support/a-provider.ts";

const OPEN: Gate = { admit: async () => ({ settle: () => {} }) };
const INPUT = { command: "make", description: "does the task" };

/** The two requests of an agent in each protocol: before its one call of a tool, and with that call's result. */
const AGENTS: Record<string, { path(stream: boolean): string; requests: [object, object] }> = {
  "openai-chat": {
    path: () => "/v1/chat/completions",
    requests: conversation((more) => ({
      model: "gpt-4o-mini",
      messages: [
        { role: "system", content: "You are an agent." },
        { role: "user", content: [{ type: "text", text: "Mend the lamp." }] },
        ...(more
          ? [
              {
                role: "assistant",
                content: null,
                tool_calls: [
                  {
                    id: "call_1",
                    type: "function",
                    function: { name: "bash", arguments: JSON.stringify(INPUT) },
                  },
                ],
              },
              { role: "tool", tool_call_id: "call_1", content: "built" },
            ]
          : []),
      ],
      tools: [{ type: "function", function: { name: "bash" } }],
    })),
  },
  "openai-responses": {
    path: () => "/v1/responses",
    requests: conversation((more) => ({
      model: "gpt-4o-mini",
      instructions: "You are an agent.",
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "Mend the lamp." }] },
        ...(more
          ? [
              { type: "function_call", call_id: "call_1", name: "bash", arguments: JSON.stringify(INPUT) },
              { type: "function_call_output", call_id: "call_1", output: "built" },
            ]
          : []),
      ],
      tools: [{ type: "function", name: "bash" }],
    })),
  },
  "anthropic-messages": {
    path: () => "/v1/messages",
    requests: conversation((more) => ({
      model: "claude-sonnet-4-0",
      system: [{ type: "text", text: "You are an agent." }],
      messages: [
        { role: "user", content: "Mend the lamp." },
        ...(more
          ? [
              {
                role: "assistant",
                content: [{ type: "tool_use", id: "toolu_1", name: "bash", input: INPUT }],
              },
              {
                role: "user",
                content: [
                  { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "built" }] },
                ],
              },
            ]
          : []),
      ],
      tools: [{ name: "bash" }],
    })),
  },
  gemini: {
    path: (stream) =>
      `/v1beta/models/gemini-2.5-flash:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    requests: conversation((more) => ({
      systemInstruction: { parts: [{ text: "You are an agent." }] },
      contents: [
        { role: "user", parts: [{ text: "Mend the lamp." }] },
        ...(more
          ? [
              { role: "model", parts: [{ functionCall: { name: "bash", args: INPUT } }] },
              {
                role: "user",
                parts: [{ functionResponse: { name: "bash", response: { output: "built" } } }],
              },
            ]
          : []),
      ],
      tools: [{ functionDeclarations: [{ name: "bash" }] }],
    })),
  },
};

function conversation(make: (more: boolean) => object): [object, object] {
  return [make(false), make(true)];
}

async function transcriptOf(send: (url: string) => Promise<void>): Promise<Transcript> {
  await using provider = await aProvider("make");
  const transcript = new Transcript();
  const gateway = await openGateway({
    env: {
      OPENAI_BASE_URL: provider.url,
      ANTHROPIC_BASE_URL: provider.url,
      GOOGLE_GEMINI_BASE_URL: provider.url,
    },
    gate: OPEN,
    signal: new AbortController().signal,
    onCall: (call, { protocol, request, answer }) =>
      transcript.add(call, protocol.readPrompt(request), answer),
  });
  await send(gateway.url).finally(gateway.close);
  return transcript;
}

async function post(url: string, body: object): Promise<void> {
  await (await fetch(url, { method: "POST", body: JSON.stringify(body) })).text();
}

describe.each(Object.entries(AGENTS))(
  "the transcript of an agent that speaks %s",
  (_, { path, requests }) => {
    test.each([true, false])(
      "has its turns with calls, results and tokens (streamed: %s)",
      async (stream) => {
        const { main } = await transcriptOf(async (url) => {
          for (const request of requests) await post(url + path(stream), { ...request, stream });
        });
        expect(main.turns).toMatchObject([
          { turn: 1, thought: "", action: `bash ${JSON.stringify(INPUT)}`, observation: "built" },
          { turn: 2, thought: "Done.", action: "", observation: "" },
        ]);
        for (const { usage, promptTokens, costUsd } of main.turns) {
          expect(usage).toMatchObject({ input: 600, cached: 400, output: 50 });
          expect(promptTokens).toBe(1000);
          expect(costUsd).toBeGreaterThan(0);
        }
        expect(main.messages.map(({ role, kind, text, turn }) => [role, kind, text, turn])).toEqual([
          ["system", "system", "You are an agent.", 0],
          ["user", "task", "Mend the lamp.", 0],
          ["assistant", "action", "", 1],
          ["tool", "observation", "built", 1],
          ["assistant", "action", "Done.", 2],
        ]);
      },
    );
  },
);

describe("the transcript", () => {
  const { path, requests } = AGENTS["anthropic-messages"]!;
  const side = {
    model: "claude-3-5-haiku-latest",
    messages: [{ role: "user", content: "Name this session." }],
  };

  test("leaves out what the agent asks beside its work", async () => {
    const { main } = await transcriptOf(async (url) => {
      await post(url + path(true), { ...side, stream: true });
      for (const request of requests) await post(url + path(true), { ...request, stream: true });
    });
    expect(main.turns).toHaveLength(2);
    expect(main.messages.map(({ text }) => text)).not.toContain("Name this session.");
  });

  test("tells what the agent put in place of its conversation", async () => {
    const [first, second] = requests as [{ messages: unknown[] }, object];
    const short = { ...first, messages: [{ role: "user", content: "So far: the lamp is built." }] };
    const { main } = await transcriptOf(async (url) => {
      for (const request of [first, second, short]) await post(url + path(false), request);
    });
    expect(main.turns).toHaveLength(3);
    expect(main.turns[2]!.checkpoint).toBe("So far: the lamp is built.");
    expect(main.turns[1]!.observation).toBe("");
    expect(main.messages.at(-2)).toMatchObject({ kind: "checkpoint", turn: 2 });
  });
});
