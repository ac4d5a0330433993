import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Place, UserError } from "../../core/errors.ts";
import type { CommandRef } from "../../core/study.ts";
import type { Warning } from "../../core/warning.ts";
import { nearFile } from "../../host/files.ts";

const INTERPRETER =
  /^(\$\{interpreter\}|(.*\/)?(python[\d.]*|node|deno|bun|tsx|sh|bash|zsh|ruby|perl|Rscript|lua|php))$/;
const SCRIPT = /^[^\s$]+\.(py|[cm]?[jt]s|sh|rb|pl|R|lua|php)$/;

/** The script of a command whose file is not there. */
function missing({ argv, cwd }: CommandRef): { script: string; full: string } | undefined {
  const first = argv.findIndex((word) => INTERPRETER.test(word));
  if (first < 0) return undefined;
  const script = argv.slice(first + 1).find((word) => !word.startsWith("-"));
  if (script === undefined || !SCRIPT.test(script)) return undefined;
  const full = resolve(cwd, script);
  return existsSync(full) ? undefined : { script, full };
}

/** Says that a sweep file's script is not where it would be started; such a file can be planned all the same. */
export function missingScript(ref: CommandRef): Warning | undefined {
  const found = ref.sweepArgs && missing(ref);
  if (!found) return undefined;
  const text = `the program ${found.script} is not there: ${found.full}; it is looked for from the folder that you call from`;
  return { kind: "missing-file", level: "warn", text };
}

/** An interpreter is always there; whether its script is would otherwise show in every single run. */
export function checkScript(ref: CommandRef, place: Place): void {
  const found = ref.sweepArgs ? undefined : missing(ref);
  if (!found) return;
  const { script, full } = found;
  const near = nearFile(full);
  throw new UserError(`the program ${script} does not exist`, {
    place,
    got: full,
    remedy: near ? `Did you mean "${near}"?` : "Paths are relative to the study file, or to target.cwd.",
  });
}
