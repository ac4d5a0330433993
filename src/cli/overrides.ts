import { existsSync } from "node:fs";
import { UserError } from "../core/errors.ts";
import type { Params, Value } from "../core/params.ts";
import { type Overrides, readPreset } from "../launch/load-study.ts";

/** The options that `run` and `plan` share. */
export interface SelectionOptions {
  config?: string;
  expName?: string;
  outRoot?: string;
  param?: string[];
  /** Files with parameters, which -p may override. */
  preset?: string[];
  /** How many, or which. */
  seeds?: number | number[];
  only?: string;
}

export function overridesFrom(options: SelectionOptions): Overrides {
  const presets = (options.preset ?? []).map(readPreset);
  const overrides: Overrides = { params: Object.assign({}, ...presets, readParams(options.param ?? [])) };
  if (options.seeds !== undefined)
    overrides.seeds =
      typeof options.seeds === "number"
        ? Array.from({ length: options.seeds }, (_, i) => i + 1)
        : options.seeds;
  if (options.only !== undefined) overrides.only = options.only;
  if (options.expName !== undefined) overrides.name = options.expName;
  if (options.outRoot !== undefined) overrides.outRoot = options.outRoot;
  return overrides;
}

/** Values are JSON where they can be (`5`, `true`, `[1, 2]`), else text. */
function readParams(words: string[]): Params {
  const params: Params = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at <= 0)
      throw new UserError(`-p ${word}`, { expected: "key=value", remedy: "For instance -p workflows=50." });
    params[word.slice(0, at)] = readValue(word.slice(at + 1));
  }
  return params;
}

/** JSON where it is JSON, else the text itself. */
export function readValue(text: string): Value {
  try {
    const value = JSON.parse(text) as Value;
    // A whole number that is too large would silently be another one: as a text it is what it is.
    const isRounded = typeof value === "number" && /^-?\d+$/.test(text) && !Number.isSafeInteger(value);
    return isRounded ? text : value;
  } catch {
    return text;
  }
}

/** A target's parameters as options: `--name value`, `--name=value` or a bare `--name`, which is true. */
export function readOptions(
  words: readonly string[],
  { target, example }: { target: string; example: string },
): Params {
  const params: Params = {};
  for (let i = 0; i < words.length; i++) {
    const match = /^--([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(words[i]!);
    if (!match)
      throw new UserError(`"${words[i]}"`, {
        expected: `an option such as ${example}`,
        remedy: `\`assay list ${target}\` shows them.`,
      });
    const next = words[i + 1];
    const text = match[2] ?? (next !== undefined && !next.startsWith("--") ? words[++i] : "true");
    params[match[1]!.replaceAll("-", "_")] = readValue(text!);
  }
  return params;
}

/** Where the runner of matrix files looks when nobody names a file. */
const DEFAULT_FILE = "bench/experiments/default.json";

export function requireFile(file: string | undefined): string {
  if (file !== undefined) return file;
  if (existsSync(DEFAULT_FILE)) {
    process.stderr.write(`no file named: using ${DEFAULT_FILE}\n`);
    return DEFAULT_FILE;
  }
  throw new UserError("no study file", {
    remedy: "Name one: `assay run study.yaml`; `assay init` writes one to start from.",
  });
}
