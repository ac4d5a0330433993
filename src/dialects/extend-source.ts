import { UserError } from "../core/errors.ts";
import type { SourceFile } from "./source-file.ts";

type Data = Record<string, unknown>;

/**
 * Merges the files that a study `extends`. Named values merge key by key, anything else replaces; later bases
 * win over earlier ones and the file itself over all. `load` reads one file, relative to the one that names it.
 */
export function extendSource(
  file: SourceFile,
  load: (path: string, from: SourceFile) => SourceFile,
  chain: string[] = [],
): SourceFile {
  const { extends: bases, ...own } = file.data;
  if (bases === undefined) return file;
  const names = Array.isArray(bases) ? bases : [bases];
  let data: Data = {};
  const sources: SourceFile[] = [];
  for (const name of names) {
    if (typeof name !== "string") {
      throw new UserError("", {
        place: file.locate(["extends"]),
        expected: "a path or a list of paths",
        got: JSON.stringify(name),
      });
    }
    const base = load(name, file);
    if (chain.includes(base.path) || base.path === file.path) {
      throw new UserError(`${[...chain, file.path, base.path].join(" extends ")}, which is a circle`, {
        place: file.locate(["extends"]),
        remedy: "Remove one of these extends:.",
      });
    }
    const extended = extendSource(base, load, [...chain, file.path]);
    data = merge(data, extended.data);
    sources.unshift(extended);
  }
  const owner = (path: readonly (string | number)[]) =>
    [file, ...sources].find((source) => has(source.data, path)) ?? file;
  return {
    ...file,
    data: merge(data, own),
    locate: (path) => owner(path).locate(path),
    scalarAt: (path) => owner(path).scalarAt(path),
    dirOf: (path) => owner(path).dirOf(path),
  };
}

function merge(base: Data, over: Data): Data {
  const result: Data = { ...base };
  for (const [key, item] of Object.entries(over)) {
    result[key] = isNamed(item) && isNamed(result[key]) ? merge(result[key], item) : item;
  }
  return result;
}

function isNamed(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function has(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string | number, unknown>)[key];
  }
  return true;
}
