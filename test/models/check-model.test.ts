import { expect, test } from "vitest";
import { checkModel } from "../../src/models/check-model.ts";
import { TempFolder } from "../support/temp-folder.ts";

test.each([
  ["gpt-4o-mini", "OPENAI_API_KEY"],
  ["deepseek-chat", "DEEPSEEK_API_KEY"],
  ["glm-4.6", "ZAI_API_KEY"],
  ["glm-4.6", "ZHIPUAI_API_KEY"],
  ["kimi-k2", "MOONSHOT_API_KEY"],
  ["anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
  ["openai-compatible:local", "OPENAI_COMPATIBLE_BASE_URL"],
])("%s without its key is one message that names %s", async (model, variable) => {
  await expect(checkModel(model, { env: {} })).rejects.toThrow(
    new RegExp(`the model ${model} needs .*\\b${variable}\\b.*\\.env`),
  );
  await expect(checkModel(model, { env: { [variable]: "something" } })).resolves.toMatchObject({
    name: model,
  });
});

test("Bedrock takes a bearer token or a pair of keys, and asks for what is nearest", async () => {
  const env = { AWS_REGION: "us-east-1" };
  await expect(checkModel("bedrock-qwen3-32b", { env })).rejects.toThrow(
    "needs AWS_BEARER_TOKEN_BEDROCK (or:",
  );
  await checkModel("bedrock-qwen3-32b", { env: { ...env, AWS_BEARER_TOKEN_BEDROCK: "token" } });
  const pair = { ...env, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
  await checkModel("bedrock-qwen3-32b", { env: pair });
});

test("Bedrock takes its region and keys as AWS's own tools do", async () => {
  using folder = new TempFolder();
  const pair = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
  await checkModel("bedrock-nova-pro", { env: { AWS_DEFAULT_REGION: "eu-west-1", ...pair } });
  const env = {
    AWS_PROFILE: "lab",
    AWS_SHARED_CREDENTIALS_FILE: folder.write(
      "credentials",
      "[default]\naws_access_key_id = other\n\n[lab] # ours\naws_access_key_id=id\naws_secret_access_key = se=cret\n",
    ),
    AWS_CONFIG_FILE: folder.write(
      "config",
      "[profile lab]\nregion = eu-west-1\n[profile sso]\nsso_session = x\n",
    ),
  };
  await checkModel("bedrock-nova-pro", { env });
  await expect(checkModel("bedrock-nova-pro", { env: { ...env, AWS_PROFILE: "nobody" } })).rejects.toThrow(
    /AWS_PROFILE.*no profile "nobody".*default, lab, sso/s,
  );
  await expect(checkModel("bedrock-nova-pro", { env: { ...env, AWS_PROFILE: "sso" } })).rejects.toThrow(
    /the profile "sso" has no pair of keys.*aws configure export-credentials --profile sso/s,
  );
});

test("an address in the options stands for one in the environment", async () => {
  await checkModel("openai-compatible:local", { env: {}, baseUrl: "http://127.0.0.1:1/v1" });
});

test("the scripted model needs nothing", async () => {
  expect(await checkModel("scripted", { env: {}, limitUsd: 1 })).toMatchObject({ provider: "scripted" });
});

test("with a limit an unknown price is an error, unless the user's file has it", async () => {
  const check = { env: { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1" }, limitUsd: 5 };
  await expect(checkModel("openai-compatible:mine", check)).rejects.toThrow(
    /price of openai-compatible:mine is unknown/,
  );
  const prices = { "openai-compatible:mine": { input: 1, cached: 1, output: 2 } };
  await checkModel("openai-compatible:mine", { ...check, prices });
});

test("a replay of a file that is not there is told before anything runs", async () => {
  await expect(checkModel("replay:nowhere.jsonl", { baseDir: "/tmp" })).rejects.toThrow(
    "no recording /tmp/nowhere.jsonl",
  );
});
