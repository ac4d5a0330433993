import { canonicalJson, shortHash } from "../core/hash.ts";
import type { Params } from "../core/params.ts";
import type { Study } from "../core/study.ts";
import { fillPattern } from "../core/watch-pattern.ts";

/** Stands for the files that the values of a cell name; undefined where none of them names any. */
export function valuesVersion({ valueVersions }: Study, params: Params): string | undefined {
  if (valueVersions === undefined) return undefined;
  const versions = Object.entries(valueVersions).flatMap(([name, byValue]) => {
    const version = params[name] === undefined ? undefined : byValue[canonicalJson(params[name])];
    return version === undefined ? [] : [`${name}=${version}`];
  });
  return versions.length === 0 ? undefined : shortHash(versions.join());
}

/** Stands for the watched files that a run names by its parameters or its task; undefined where it names none. */
export function watchedVersion(
  { watchVersions }: Study,
  params: Params,
  task: string | null,
): string | undefined {
  if (watchVersions === undefined) return undefined;
  const versions = Object.entries(watchVersions).flatMap(([pattern, byPath]) => {
    const path = fillPattern(pattern, { ...params, task });
    return path === undefined ? [] : [`${pattern}=${byPath[path] ?? ""}`];
  });
  return versions.length === 0 ? undefined : shortHash(versions.join("\0"));
}

/** What a run's identity and its record hold of the content that it is about. */
export function contentVersion(
  task: string | undefined,
  ...files: (string | undefined)[]
): string | undefined {
  const versions = files.filter((version) => version !== undefined);
  return versions.length === 0 ? task : `${task ?? ""}+${versions.join("+")}`;
}
