import { readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/**
 * The folders that a pattern such as `tasks/*` means: from where the command was called, from the file's folder, or from
 * the one above, whichever has some first. `*`, `?`, `[ab]` and `{a,b}` stand for parts of one name, and not for the dot that
 * hides one; `**` for any number of folders. What is a folder's very name means that one.
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
  const isFolder = (one: string) => statSync(join(folder, one), { throwIfNoEntry: false })?.isDirectory();
  const inside = (one: string, names: readonly string[]) => below(join(folder, one), names, `${path}${one}/`);
  if (name === "**") {
    const deeper = list(folder).filter(isFolder);
    return [
      ...new Set([...below(folder, rest, path), ...deeper.flatMap((one) => inside(one, [name, ...rest]))]),
    ];
  }
  const isPattern = /[*?[{]/.test(name) && !isFolder(name);
  const names = isPattern ? list(folder).filter((one) => expression(name).test(one)) : [name];
  return names.filter(isFolder).flatMap((one) => inside(one, rest));
}

function list(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort((a, b) => (a < b ? -1 : 1));
}

/** What stands for more than itself: a class of letters, a choice of words, any letters, any one. */
const SPECIAL = /\[(!?)([^\]]+)\]|\{([^{}]*,[^{}]*)\}|\*|\?|[\\^$.+()[\]{}|]/g;

function expression(pattern: string): RegExp {
  const source = pattern.replaceAll(SPECIAL, (found, not?: string, letters?: string, words?: string) => {
    if (letters !== undefined) return `[${not ? "^" : ""}${letters.replaceAll(/[\\^]/g, "\\$&")}]`;
    if (words !== undefined)
      return `(?:${words
        .split(",")
        .map((word) => expression(word).source.slice(1, -1))
        .join("|")})`;
    return found === "*" ? ".*" : found === "?" ? "." : `\\${found}`;
  });
  return new RegExp(`^${source}$`);
}
