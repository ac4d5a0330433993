import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandRef } from "../../core/study.ts";
import type { Warning } from "../../core/warning.ts";

const PYTHON = /^(\$\{interpreter\}|python[\d.]*)$/;

/** Says that a sweep file's script is not where it would be started; such a file can be planned all the same. */
export function missingScript({ argv, cwd, sweepArgs }: CommandRef): Warning | undefined {
  const script = argv.find((word, i) => i > 0 && PYTHON.test(argv[i - 1]!) && word.endsWith(".py"));
  if (!sweepArgs || script === undefined || existsSync(resolve(cwd, script))) return undefined;
  const text = `the program ${script} is not there: ${resolve(cwd, script)}; it is looked for from the folder that you call from`;
  return { kind: "missing-file", level: "warn", text };
}
