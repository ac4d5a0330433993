import type { Params } from "../../core/params.ts";
import { type FloatTest, pythonJson, pythonStr } from "../../core/python-text.ts";
import type { Run } from "../../core/run.ts";
import type { SweepArgs } from "../../core/study.ts";
import { fillEnvVars } from "./fill-env-vars.ts";
import { interpreter } from "./find-program.ts";

type Parameters = [name: string, text: string, value: Params[string]][];

/**
 * The words of a sweep file's command for one run, as that tool's agent makes them: a macro is a whole word, and only
 * environment variables are replaced inside one. Any other `${...}` is the program's own.
 */
export function fillSweepArgv(
  template: readonly string[],
  run: Run,
  { outDir, sweepArgs }: { outDir: string; sweepArgs: SweepArgs },
): string[] {
  const params = sweepParams(run, sweepArgs);
  const isFloat = floatTest(sweepArgs);
  const parameters: Parameters = Object.entries(params).map(([name, value]) => [
    name,
    pythonStr(value, isFloat, [name]),
    value,
  ]);
  return template.flatMap((word) => {
    const macro = /^\$\{(\w+)\}$/.exec(word)?.[1];
    if (macro === "interpreter") return [interpreter()];
    if (macro === "args_json") return [pythonJson(params, isFloat)];
    if (macro === "args_json_file") return [argsFile(outDir)];
    const print = macro === undefined ? undefined : PRINT[macro];
    return print ? parameters.flatMap(print) : [fillEnvVars(word)];
  });
}

const PRINT: Record<string, (parameter: Parameters[number]) => string[]> = {
  args: ([name, text]) => [`--${name}=${text}`],
  args_no_equals: ([name, text]) => [`--${name}`, text],
  args_no_hyphens: ([name, text]) => [`${name}=${text}`],
  args_append_hydra: ([name, text]) => [`+${name}=${text}`],
  args_override_hydra: ([name, text]) => [`++${name}=${text}`],
  args_no_boolean_flags: ([name, text, value]) =>
    typeof value === "boolean" ? (value ? [`--${name}`] : []) : [`--${name}=${text}`],
};

/** A run's parameters under the names that the program knows, sorted as that tool sorts them. */
export function sweepParams(run: Run, { names = {}, seedName }: SweepArgs): Params {
  const entries = Object.entries(run.params).map(([name, value]) => [names[name] ?? name, value] as const);
  if (seedName !== undefined) entries.push([seedName, run.seed]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a whole number was written as a float in the file. */
export function floatTest({ floats, names = {} }: SweepArgs): FloatTest {
  const known = new Map(
    floats.map(({ path: [top, ...below], values }) => [[names[top!] ?? top, ...below].join("\0"), values]),
  );
  return (number, path) => {
    for (let length = path.length; length > 0; length--) {
      const key = path.slice(0, length).join("\0");
      if (known.has(key)) return known.get(key)?.includes(number) ?? true;
    }
    return false;
  };
}

/** Beside the out folder, so that it is not taken for a result. */
export function argsFile(outDir: string): string {
  return outDir.replace(/\/?out\/?$/, "/args.json");
}
