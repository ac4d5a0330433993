import { parseEnvText } from "../core/env-text.ts";
import { errorCode } from "../core/errors.ts";
import { readText } from "../host/files.ts";
import { PRESETS } from "./model-spec.ts";
import { modelVariables } from "./providers/index.ts";

/**
 * Takes from a `.env` file what model providers read, and only that, into `env`; what `env` has already stays. Once
 * there, redactors that are made from `env` know the values, and threads and child processes inherit them.
 */
export function loadEnvFile(path: string, env: Record<string, string | undefined> = process.env): string[] {
  let text: string;
  try {
    text = readText(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
  /** Variables that hold keys and addresses of model providers. */
  const known = modelVariables(Object.values(PRESETS).map(({ endpoint }) => endpoint));
  const taken: string[] = [];
  for (const [name, value] of parseEnvText(text)) {
    if (!known.has(name) || env[name]) continue;
    env[name] = value;
    taken.push(name);
  }
  return taken;
}
