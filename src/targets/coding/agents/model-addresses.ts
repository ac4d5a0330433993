import { PLACES } from "../../../gateway/upstream.ts";
import type { Destination } from "../../../sandboxes/sandbox.ts";

const hostOf = (base: string) => new URL(base).hostname;

/** Where the owner of a key is at home: those that the gateway pays, and others that agents call themselves. */
const HOSTS: Record<string, string> = {
  ...Object.fromEntries(
    Object.values(PLACES).flatMap(({ base, keyVariables }) =>
      keyVariables.map((name) => [name, hostOf(base)]),
    ),
  ),
  CLAUDE_CODE_OAUTH_TOKEN: hostOf(PLACES.anthropic.base),
  DEEPSEEK_API_KEY: "api.deepseek.com",
  OPENROUTER_API_KEY: "openrouter.ai",
  MISTRAL_API_KEY: "api.mistral.ai",
  GROQ_API_KEY: "api.groq.com",
  ZAI_API_KEY: "api.z.ai",
  ZHIPUAI_API_KEY: "open.bigmodel.cn",
  MOONSHOT_API_KEY: "api.moonshot.ai",
  XAI_API_KEY: "api.x.ai",
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
    if (Object.hasOwn(HOSTS, name)) found.push({ host: HOSTS[name]!, port: HTTPS });
    if (name === "AWS_REGION" || name === "AWS_DEFAULT_REGION")
      found.push({ host: `bedrock-runtime.${value}.amazonaws.com`, port: HTTPS });
    if (!IS_ADDRESS.test(name) || !URL.canParse(value)) continue;
    const { hostname, port, protocol } = new URL(value);
    if (protocol === "https:" || protocol === "http:")
      found.push({ host: hostname, port: Number(port) || (protocol === "http:" ? HTTP : HTTPS) });
  }
  return found;
}
