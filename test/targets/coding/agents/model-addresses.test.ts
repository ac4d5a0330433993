import { expect, test } from "vitest";
import { modelAddresses } from "../../../../src/targets/coding/agents/model-addresses.ts";

test("an agent's models are at home where its keys are, and where its variables say", () => {
  expect(
    modelAddresses({ ANTHROPIC_API_KEY: "k", HOME: "/home/me", HOMEPAGE: "https://example.org" }),
  ).toEqual([{ host: "api.anthropic.com", port: 443 }]);
  expect(modelAddresses({ OPENAI_BASE_URL: "http://127.0.0.1:4000/v1" })).toEqual([
    { host: "127.0.0.1", port: 4000 },
  ]);
  expect(modelAddresses({ AZURE_API_BASE: "https://mine.example", AWS_REGION: "eu-west-1" })).toEqual([
    { host: "mine.example", port: 443 },
    { host: "bedrock-runtime.eu-west-1.amazonaws.com", port: 443 },
  ]);
  expect(modelAddresses({ OPENAI_BASE_URL: "not an address", OPENAI_API_KEY: "" })).toEqual([]);
  expect(modelAddresses({ OPENAI_BASE_URL: "file:///etc/passwd" })).toEqual([]);
});
