import { UserError } from "../../core/errors.ts";
import type { Params, Value } from "../../core/params.ts";
import type { Run } from "../../core/run.ts";
import type { CommandRef } from "../../core/study.ts";
import { suggestion } from "../../core/suggest.ts";
import { checkEnvVars } from "./fill-env-vars.ts";
import { fillSweepArgv } from "./sweep-argv.ts";

const PLACEHOLDER = /\$\{([^}]*)\}/g;
/** As `assay try` takes them, and Python writes them. */
const BRACES = /(?<!\$)\{([A-Za-z_][\w.-]*)\}/g;
const RUN_WORDS = ["args", "flags", "seed", "variant", "task", "repeat", "run_id", "out_dir"];

type Words = Pick<CommandRef, "argv" | "sweepArgs">;

/** The words of a command target for one run. */
export function commandWords(
  { argv, sweepArgs }: Words,
  run: Run,
  outDir: string,
  places: Record<string, string> = {},
): string[] {
  return sweepArgs ? fillSweepArgv(argv, run, { outDir, sweepArgs }) : fillArgv(argv, run, outDir, places);
}

/**
 * The words of a command for one run. `${args}` and `${flags}` as whole words become many; any other
 * placeholder is replaced inside its word, and a word that names an inactive parameter (or null) is left out.
 */
export function fillArgv(
  template: readonly string[],
  run: Run,
  outDir: string,
  places: Record<string, string> = {},
): string[] {
  const flagsApart = template.includes("${flags}");
  const words: string[] = [];
  for (const word of template) {
    if (word === "${args}") words.push(...argumentWords(run.params), ...(flagsApart ? [] : run.flags));
    else if (word === "${flags}") words.push(...run.flags);
    else if (!word.includes("${")) words.push(word);
    else {
      let isWhole = true;
      const filled = word.replace(PLACEHOLDER, (_, name: string) => {
        const value = places[name] ?? lookUp(name, run, outDir);
        isWhole &&= value !== undefined && value !== null;
        return valueText(value ?? null);
      });
      if (isWhole) words.push(filled);
    }
  }
  return words;
}

function lookUp(name: string, run: Run, outDir: string): Value | undefined {
  if (name === "out_dir") return outDir;
  if (name === "run_id") return run.id;
  if (name === "seed" || name === "variant" || name === "task" || name === "repeat") return run[name];
  if (Object.hasOwn(run.params, name)) return run.params[name];
  return name.startsWith("task.") ? run.item?.[name.slice("task.".length)] : undefined;
}

/** `--key value` a parameter; true is the bare flag, false and null are left out. */
function argumentWords(params: Params): string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (value === false || value === null) return [];
    return value === true ? [`--${name}`] : [`--${name}`, valueText(value)];
  });
}

function valueText(value: Value): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** All that can be wrong with a command before anything runs. */
export function checkCommand({ argv, sweepArgs }: Words, paramNames: Iterable<string>): void {
  if (sweepArgs) checkEnvVars(argv);
  else checkTemplate(argv, paramNames);
}

/** A placeholder that nothing can fill is a slip, told before anything runs. */
export function checkTemplate(template: readonly string[], paramNames: Iterable<string>): void {
  const known = [...RUN_WORDS, ...paramNames];
  for (const word of template) {
    const plain = [...word.matchAll(BRACES)].find(([, name]) => known.includes(name!));
    if (plain !== undefined)
      throw new UserError(`in the command, ${plain[0]} would reach the program as it stands`, {
        remedy: `Write $${plain[0]} for the value.`,
      });
    for (const [, name] of word.matchAll(PLACEHOLDER)) {
      if (known.includes(name!)) {
        if ((name === "args" || name === "flags") && word !== `\${${name}}`) {
          throw new UserError(`in the command, \${${name}} stands inside "${word}"`, {
            expected: "a word of its own, since it becomes several",
          });
        }
        continue;
      }
      throw new UserError(`the command names \${${name}}, which is not a parameter`, {
        remedy: suggestion(name!, known),
      });
    }
  }
}
