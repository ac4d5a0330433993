import { readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/**
 * The folders that a pattern such as `tasks/*` means: from where the command was called, from the file's folder, or from
 * the one above, whichever has some first. `*` and `?` stand for parts of one name, and not for the dot that hides one.
 */
export function findFolders(
  pattern: string,
  { dir, callerDir }: { dir: string; callerDir: string },
): string[] {
  const names = pattern.split("/");
  if (isAbsolute(pattern)) return below("/", names.slice(1), "/");
  for (const root of [callerDir, dir, dirname(dir)]) {
    const found = below(root, names, "");
    if (found.length > 0) return found;
  }
  return [];
}

function below(folder: string, [name, ...rest]: readonly string[], path: string): string[] {
  if (name === undefined) return [path.replace(/\/$/, "")];
  const isPattern = /[*?]/.test(name);
  const names = isPattern ? list(folder).filter((one) => expression(name).test(one)) : [name];
  return names
    .filter((one) => statSync(join(folder, one), { throwIfNoEntry: false })?.isDirectory())
    .flatMap((one) => below(join(folder, one), rest, `${path}${one}/`));
}

function list(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort((a, b) => (a < b ? -1 : 1));
}

function expression(pattern: string): RegExp {
  const source = pattern.replaceAll(/[\\^$.+()[\]{}|]/g, "\\$&");
  return new RegExp(`^${source.replaceAll("*", ".*").replaceAll("?", ".")}$`);
}
