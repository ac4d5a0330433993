import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { UserError } from "../../core/errors.ts";
import { fillEnvVars } from "./fill-env-vars.ts";

/** The absolute path of a program: as it is written when it has a slash, else looked up in PATH. */
export function findProgram(word: string, cwd: string, path = process.env.PATH ?? ""): string {
  const name = word === "${interpreter}" ? interpreter(path) : fillEnvVars(word);
  if (name.includes("/")) {
    const full = resolve(cwd, name);
    if (isExecutable(full)) return full;
    throw new UserError(`the program ${name} ${exists(full) ? "is not executable" : "does not exist"}`, {
      got: full,
      remedy: exists(full)
        ? `Run chmod +x ${full}, or name its interpreter first.`
        : "Build it first, or leave sim_binary (or target:) to a shipped target: `assay list targets`.",
    });
  }
  for (const folder of path.split(delimiter)) {
    const full = resolve(cwd, folder, name);
    if (isExecutable(full)) return full;
  }
  throw new UserError(`the program "${name}" is not in PATH`, {
    remedy: `Install it, or write ./${name} for a file next to the study.`,
  });
}

/** `python`, as that tool's agents say; where a machine has only `python3`, that. */
export function interpreter(path = process.env.PATH ?? ""): string {
  const has = (name: string) => path.split(delimiter).some((folder) => isExecutable(resolve(folder, name)));
  return !has("python") && has("python3") ? "python3" : "python";
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
