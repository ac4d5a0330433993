import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { readText } from "../../host/files.ts";
import type { Environment, Provider } from "./provider.ts";

/** What AWS's own tools read besides the variables that Bedrock needs. */
const AWS_VARIABLES = ["AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"];

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

/** The environment with a region and keys as AWS's own tools find them: what is set goes before the profile. */
function awsEnvironment(env: Environment): Environment {
  const hasKeys = !!env.AWS_BEARER_TOKEN_BEDROCK || (!!env.AWS_ACCESS_KEY_ID && !!env.AWS_SECRET_ACCESS_KEY);
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  if (!env.AWS_PROFILE || (hasKeys && region)) return { ...env, AWS_REGION: region };
  const profile = readProfile(env.AWS_PROFILE, env);
  const found = { ...env, AWS_REGION: region || profile.region };
  if (hasKeys) return found;
  const { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token } = profile;
  if (!id || !secret)
    throw new UserError(`AWS_PROFILE: the profile "${env.AWS_PROFILE}" has no pair of keys`, {
      expected: "aws_access_key_id and aws_secret_access_key",
      remedy: `For a role or single sign-on: eval "$(aws configure export-credentials --profile ${env.AWS_PROFILE} --format env)".`,
    });
  return { ...found, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token };
}

type Profile = Record<string, string>;

function readProfile(name: string, env: Environment): Profile {
  const home = join(env.HOME || homedir(), ".aws");
  const paths = [
    env.AWS_CONFIG_FILE || join(home, "config"),
    env.AWS_SHARED_CREDENTIALS_FILE || join(home, "credentials"),
  ];
  const profiles = new Map<string, Profile>();
  for (const path of paths.filter((one) => existsSync(one)))
    for (const [key, values] of readSections(readText(path)))
      profiles.set(key, { ...profiles.get(key), ...values });
  const profile = profiles.get(name);
  if (profile) return profile;
  throw new UserError(`AWS_PROFILE: there is no profile "${name}" in ${paths.join(" or ")}`, {
    ...(profiles.size > 0 && { expected: [...profiles.keys()].sort().join(", ") }),
    remedy: `Run aws configure --profile ${name}, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
  });
}

/** Sections of AWS's files: `[name]` in credentials, `[profile name]` in config; other kinds of sections are passed over. */
function readSections(text: string): Map<string, Profile> {
  const sections = new Map<string, Profile>();
  let current: Profile = {};
  for (const line of text.split(/\r?\n/)) {
    const [, title] = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? [];
    if (title !== undefined) {
      current = sections.get(title) ?? {};
      if (!/^(sso-session|services)\s/.test(title)) sections.set(title, current);
      continue;
    }
    // An indented line belongs to a nested setting.
    const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) current[key] = value!;
  }
  return sections;
}
