import { afterEach, expect, test } from "vitest";
import { createModel } from "../../src/models/create-model.ts";
import { serveScripted } from "../../src/models/serve-scripted.ts";
import { startModelServer } from "../support/model-server.ts";
import { aRequest } from "./a-request.ts";

const KEY = "sk-very-secret-0123456789";
let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

test.each([
  ["openai:coder", "OPENAI_API_KEY"],
  ["deepseek-chat", "DEEPSEEK_API_KEY"],
  ["glm-4.6", "ZAI_API_KEY"],
  ["glm-4.6", "ZHIPUAI_API_KEY"],
  ["kimi-k2", "MOONSHOT_API_KEY"],
  ["openai-compatible:coder", "OPENAI_COMPATIBLE_API_KEY"],
])("%s speaks OpenAI's protocol with its own key, tools and cached tokens apart", async (name, variable) => {
  const server = await serveScripted();
  stop = server.close;
  const model = await createModel(name, { env: { [variable]: KEY }, baseUrl: server.baseUrl });
  await model.complete(aRequest());
  const answer = await model.complete(aRequest());
  expect(answer.message.toolCalls).toEqual([
    { id: "call_1", name: "bash", input: { command: expect.stringMatching(/^find/) } },
  ]);
  expect(answer).toMatchObject({
    finish: "tools",
    usage: { input: 0, cached: expect.any(Number), reasoning: 0 },
  });
  expect(answer.usage.cached).toBeGreaterThan(20);
  expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
});

test.each([
  ["anthropic:claude-sonnet-4-5", { ANTHROPIC_API_KEY: KEY }],
  ["anthropic-compatible:mine", { ANTHROPIC_COMPATIBLE_API_KEY: KEY }],
])("%s speaks Anthropic's protocol", async (name, env) => {
  const server = await startModelServer({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [
      { type: "text", text: "I look." },
      { type: "tool_use", id: "toolu_1", name: "bash", input: { command: "ls" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 0,
      output_tokens: 20,
    },
  });
  stop = server.close;
  const model = await createModel(name, { env, baseUrl: `${server.url}/v1` });
  const answer = await model.complete(aRequest());
  expect(server.requests[0]).toMatchObject({ path: "/v1/messages", headers: { "x-api-key": KEY } });
  expect(answer.message).toMatchObject({
    text: "I look.",
    toolCalls: [{ id: "toolu_1", name: "bash", input: { command: "ls" } }],
  });
  // There, cached tokens are not a part of the input.
  expect(answer.usage).toEqual({ input: 100, cached: 40, output: 20, reasoning: 0 });
});

test.each([
  ["a bearer token", { AWS_BEARER_TOKEN_BEDROCK: KEY }, `Bearer ${KEY}`],
  [
    "a pair of keys",
    { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: KEY },
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/",
  ],
])("Bedrock is reached with %s", async (_, keys, authorization) => {
  const server = await startModelServer({
    output: { message: { role: "assistant", content: [{ text: "I look." }] } },
    stopReason: "end_turn",
    usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
  });
  stop = server.close;
  const env = { AWS_REGION: "us-east-1", ...keys };
  const model = await createModel("bedrock-qwen3-32b", { env, baseUrl: server.url });
  const answer = await model.complete(aRequest());
  const [request] = server.requests;
  expect(decodeURIComponent(request!.path)).toBe("/model/qwen.qwen3-32b-v1:0/converse");
  expect(String(request!.headers.authorization).startsWith(authorization)).toBe(true);
  expect(JSON.stringify(request)).not.toContain(authorization.startsWith("AWS4") ? KEY : "\0");
  expect(answer).toMatchObject({
    message: { text: "I look." },
    finish: "stop",
    usage: { input: 100, output: 20 },
  });
  // Listed at $0.15 and $0.60 for a million tokens.
  expect(answer.costUsd).toBeCloseTo((100 * 0.15 + 20 * 0.6) / 1e6, 12);
});

test("what the table knows of a model's window is used", async () => {
  const model = await createModel("gpt-4o-mini", { env: { OPENAI_API_KEY: KEY } });
  expect(model.contextTokens).toBe(128_000);
});
