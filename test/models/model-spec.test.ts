import { expect, test } from "vitest";
import { parseModelSpec } from "../../src/models/model-spec.ts";

test("a preset knows its provider, its endpoint and its key", () => {
  expect(parseModelSpec("glm-4.6")).toMatchObject({
    provider: "openai-compatible",
    endpoint: { accounts: { ZAI_API_KEY: "https://api.z.ai/api/paas/v4" } },
  });
  expect(parseModelSpec("minimax-m2")).toMatchObject({
    provider: "openai-compatible",
    endpoint: { accounts: { MINIMAX_API_KEY: "https://api.minimax.io/v1" } },
  });
  expect(parseModelSpec("bedrock-qwen3-32b")).toMatchObject({ provider: "bedrock" });
  expect(parseModelSpec("bedrock-nova-pro")).toMatchObject({ provider: "bedrock" });
});

test("a model's own name may hold colons", () => {
  expect(parseModelSpec("bedrock:qwen.qwen3-32b-v1:0")).toEqual({
    name: "bedrock:qwen.qwen3-32b-v1:0",
    provider: "bedrock",
    modelId: "qwen.qwen3-32b-v1:0",
  });
});

test.each(["gpt-4o-mni", "opnai:gpt-5", "openai:", "", "constructor"])(
  "%j is no model, and the message helps",
  (text) => {
    expect(() => parseModelSpec(text)).toThrow(/no such model.*provider:model/);
  },
);

test("a misspelt preset is recognised", () => {
  expect(() => parseModelSpec("deepseek-chta")).toThrow('Did you mean "deepseek-chat"?');
});
