import type { Protocol } from "./protocols/protocol.ts";

/** Where a protocol's calls go, and what pays for them. */
export interface Upstream {
  /** Without a path: the agent's own path is appended. */
  base: string;
  /** Empty where we have none, and the agent's own goes along. */
  key: string;
  /** The header that it goes into, and what stands there. */
  keyHeader: string;
  keyValue: string;
}

interface Place {
  base: string;
  baseVariable: string;
  keyVariables: readonly string[];
}

/** Where vendors are, and which variables hold keys for them. */
export const PLACES: Record<Protocol["vendor"], Place> = {
  openai: {
    base: "https://api.openai.com",
    baseVariable: "OPENAI_BASE_URL",
    keyVariables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  },
  anthropic: {
    base: "https://api.anthropic.com",
    baseVariable: "ANTHROPIC_BASE_URL",
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  },
  google: {
    base: "https://generativelanguage.googleapis.com",
    baseVariable: "GOOGLE_GEMINI_BASE_URL",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  },
};

export function upstreamOf(
  { vendor }: Pick<Protocol, "vendor">,
  env: Record<string, string | undefined>,
): Upstream {
  const { base, baseVariable, keyVariables } = PLACES[vendor];
  const variable = keyVariables.find((name) => env[name]);
  const key = (variable && env[variable]) || "";
  const isBearer = vendor === "openai" || variable === "ANTHROPIC_AUTH_TOKEN";
  const own = vendor === "google" ? "x-goog-api-key" : "x-api-key";
  return {
    // Some programs name the version in it, some do not; the agent's path has it.
    base: (env[baseVariable] || base).replace(/\/+$/, "").replace(/\/v1$/, ""),
    key,
    keyHeader: isBearer ? "authorization" : own,
    keyValue: isBearer ? `Bearer ${key}` : key,
  };
}

/** Whether a vendor's own servers answer. */
export function isVendors({ base }: Pick<Upstream, "base">): boolean {
  return Object.values(PLACES).some((place) => place.base === base);
}

/**
 * What leads a program to a gateway at `url`: each vendor's address, and `key` in place of every key. Older programs
 * read other names for the same thing.
 */
export function gatewayVariables(
  { url, key }: { url: string; key: string },
  env: Record<string, string | undefined>,
): Record<string, string> {
  const variables: Record<string, string> = { OPENAI_API_BASE: `${url}/v1` };
  for (const [vendor, { baseVariable, keyVariables }] of Object.entries(PLACES)) {
    variables[baseVariable] = vendor === "openai" ? `${url}/v1` : url;
    const [first, ...others] = keyVariables;
    variables[first!] = key;
    // No program gets to see a key of ours.
    for (const name of others) if (env[name]) variables[name] = key;
  }
  return variables;
}

/** What is missing before an agent of this vendor can be paid; undefined where nothing is. */
export function missingKey(
  vendor: Protocol["vendor"],
  env: Record<string, string | undefined>,
): string | undefined {
  const { baseVariable, keyVariables } = PLACES[vendor];
  return env[baseVariable] || keyVariables.some((name) => env[name]) ? undefined : keyVariables[0];
}
