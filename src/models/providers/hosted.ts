import { AWS_VARIABLES, awsEnvironment } from "./aws-environment.ts";
import type { Provider } from "./provider.ts";

/** Providers with one address and one key. */
export const openai: Provider = {
  vendor: { trace: "openai", prices: "openai" },
  ways: [["OPENAI_API_KEY"]],
  optional: ["OPENAI_BASE_URL"],
  async connect({ modelId }, { env, baseUrl }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const baseURL = baseUrl ?? env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
    // The chat endpoint, which takes a seed; the newer one does not.
    return createOpenAI({ apiKey: env.OPENAI_API_KEY!, baseURL }).chat(modelId);
  },
};

export const deepseek: Provider = {
  vendor: { trace: "deepseek", prices: "deepseek" },
  ways: [["DEEPSEEK_API_KEY"]],
  optional: ["DEEPSEEK_BASE_URL"],
  async connect({ modelId }, { env, baseUrl }) {
    const { createDeepSeek } = await import("@ai-sdk/deepseek");
    const baseURL = baseUrl ?? env.DEEPSEEK_BASE_URL ?? "https://api.deepseek.com";
    return createDeepSeek({ apiKey: env.DEEPSEEK_API_KEY!, baseURL })(modelId);
  },
};

export const anthropic: Provider = {
  vendor: { trace: "anthropic", prices: "anthropic" },
  ways: [["ANTHROPIC_API_KEY"]],
  optional: ["ANTHROPIC_BASE_URL"],
  async connect({ modelId }, { env, baseUrl }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const baseURL = baseUrl ?? env.ANTHROPIC_BASE_URL ?? "https://api.anthropic.com/v1";
    return createAnthropic({ apiKey: env.ANTHROPIC_API_KEY!, baseURL })(modelId);
  },
};

export const bedrock: Provider = {
  vendor: { trace: "aws.bedrock", prices: "aws" },
  ways: [
    ["AWS_REGION", "AWS_BEARER_TOKEN_BEDROCK"],
    ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
  ],
  optional: ["AWS_SESSION_TOKEN", ...AWS_VARIABLES],
  settle: awsEnvironment,
  async connect({ modelId }, { env, baseUrl }) {
    const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
    const place = { region: env.AWS_REGION!, ...(baseUrl && { baseURL: baseUrl }) };
    if (env.AWS_BEARER_TOKEN_BEDROCK)
      return createAmazonBedrock({ ...place, apiKey: env.AWS_BEARER_TOKEN_BEDROCK })(modelId);
    return createAmazonBedrock({
      ...place,
      accessKeyId: env.AWS_ACCESS_KEY_ID!,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY!,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
      // Otherwise the package looks for a bearer token by itself.
      apiKey: "",
    })(modelId);
  },
};
