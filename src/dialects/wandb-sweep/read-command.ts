import { UserError } from "../../core/errors.ts";
import { pythonStr } from "../../core/python-text.ts";
import { nearest } from "../../core/suggest.ts";
import type { ResolvedFile } from "./resolve-scalars.ts";
import type { SweepFile } from "./sweep-schema.ts";

const DEFAULT = ["${env}", "${interpreter}", "${program}", "${args}"];

/** Macros that become words when a run starts; `env` and `program` are known when the file is read. */
const MACROS = [
  "env",
  "interpreter",
  "program",
  "args",
  "args_no_equals",
  "args_no_hyphens",
  "args_no_boolean_flags",
  "args_json",
  "args_json_file",
  "args_append_hydra",
  "args_override_hydra",
];
const ENV_VAR = /\$\{envvar:([^}]*)\}/g;

/** The command's words, with what does not depend on the run filled in. A misspelt macro is an error. */
export function readCommand({ command, program }: SweepFile, file: ResolvedFile): string[] {
  const isDefault = command === undefined || command.length === 0;
  const words = isDefault
    ? DEFAULT
    : command.map((word, i) => pythonStr(word, () => file.isFloat(["command", i])));
  const place = (i: number) => file.locate(isDefault ? [] : ["command", i]);
  return words.map((word, i) => {
    for (const [, name] of word.matchAll(ENV_VAR)) {
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name!)) continue;
      throw new UserError(`\${envvar:${name}} names no environment variable`, { place: place(i) });
    }
    const rest = word.replaceAll(ENV_VAR, "");
    const whole = /^\$\{([^}]*)\}$/.exec(word);
    if (whole && rest !== "") return fillNow(whole[1]!, { program, place: place(i), isDefault });
    const inside = MACROS.find((name) => rest.includes(`\${${name}}`));
    if (inside === undefined) return word;
    throw new UserError(`the macro \${${inside}} stands inside "${word}"`, {
      place: place(i),
      expected: "a word of its own: macros are replaced only there",
    });
  });
}

interface Now {
  program: string | undefined;
  place: ReturnType<ResolvedFile["locate"]>;
  isDefault: boolean;
}

function fillNow(name: string, { program, place, isDefault }: Now): string {
  if (name === "env") return "/usr/bin/env";
  if (name === "program") {
    if (program !== undefined) return program;
    throw new UserError(isDefault ? "" : "the command names ${program}", {
      place,
      expected: "program, the script that the runs start",
      got: "nothing",
      remedy: "Write program: train.py.",
    });
  }
  if (MACROS.includes(name)) return `\${${name}}`;
  // Many begin alike: the one of about that length was meant.
  const [best] = nearest(name, [...MACROS, "envvar:NAME"], MACROS.length).sort(
    (a, b) => Math.abs(a.length - name.length) - Math.abs(b.length - name.length),
  );
  throw new UserError(`unknown macro \${${name}}`, {
    place,
    remedy: best === undefined ? `Known: ${MACROS.join(", ")}, envvar:NAME.` : `Did you mean \${${best}}?`,
  });
}
