import type { Destination } from "../../../sandboxes/sandbox.ts";

/** Where the owner of a key is at home. */
const HOSTS: Record<string, readonly string[]> = {
  ANTHROPIC_API_KEY: ["api.anthropic.com"],
  ANTHROPIC_AUTH_TOKEN: ["api.anthropic.com"],
  CLAUDE_CODE_OAUTH_TOKEN: ["api.anthropic.com"],
  OPENAI_API_KEY: ["api.openai.com"],
  CODEX_API_KEY: ["api.openai.com"],
  GEMINI_API_KEY: ["generativelanguage.googleapis.com"],
  GOOGLE_API_KEY: ["generativelanguage.googleapis.com"],
  DEEPSEEK_API_KEY: ["api.deepseek.com"],
  OPENROUTER_API_KEY: ["openrouter.ai"],
  MISTRAL_API_KEY: ["api.mistral.ai"],
  GROQ_API_KEY: ["api.groq.com"],
  ZAI_API_KEY: ["api.z.ai"],
  ZHIPUAI_API_KEY: ["open.bigmodel.cn"],
  MOONSHOT_API_KEY: ["api.moonshot.ai"],
  XAI_API_KEY: ["api.x.ai"],
};
const HTTPS = 443;
const HTTP = 80;
const IS_ADDRESS = /(BASE_URL|API_BASE|ENDPOINT)$/;

/**
 * Where an agent's models are, by the environment that it gets: whose key it has, and every address that a variable
 * such as OPENAI_BASE_URL names, which may be a gateway on this machine.
 */
export function modelAddresses(env: Record<string, string>): Destination[] {
  const found: Destination[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === "") continue;
    for (const host of HOSTS[name] ?? []) found.push({ host, port: HTTPS });
    if (name === "AWS_REGION" || name === "AWS_DEFAULT_REGION")
      found.push({ host: `bedrock-runtime.${value}.amazonaws.com`, port: HTTPS });
    if (!IS_ADDRESS.test(name) || !URL.canParse(value)) continue;
    const { hostname, port, protocol } = new URL(value);
    if (protocol === "https:" || protocol === "http:")
      found.push({ host: hostname, port: Number(port) || (protocol === "http:" ? HTTP : HTTPS) });
  }
  return found;
}
