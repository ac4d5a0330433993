import { readdirSync } from "node:fs";
import { parseEnvText } from "../core/env-text.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import type { TargetRef } from "../core/study.ts";
import { readText } from "./files.ts";

const ENV_FILE = /^\.env(\.(?!example$|sample$|template$|dist$).*)?$/;
const MOST_BYTES = 1 << 20;

interface Knowing {
  target: TargetRef;
  /** The folder of the study file. */
  baseDir: string;
  /** The study's own variables. */
  env: Record<string, string>;
}

/**
 * Knows every secret that a study's runs can know: those of this process, those that the study sets, and those in the
 * `.env` files beside the study file and in the folder where its program runs, which many programs read themselves.
 */
export function redactorFor({ target, baseDir, env }: Knowing): Redactor {
  const dirs = new Set([baseDir, ...(target.kind === "command" ? [target.cwd] : [])]);
  return createRedactor(env, process.env, ...[...dirs].flatMap(envFilesIn));
}

/** What can't be read hides nothing: neither can the program read it. */
function envFilesIn(dir: string): Record<string, string>[] {
  try {
    return readdirSync(dir)
      .filter((name) => ENV_FILE.test(name))
      .map((name) => readEnvFile(`${dir}/${name}`));
  } catch {
    return [];
  }
}

function readEnvFile(path: string): Record<string, string> {
  try {
    return Object.fromEntries(parseEnvText(readText(path, { mostBytes: MOST_BYTES })));
  } catch {
    return {};
  }
}
