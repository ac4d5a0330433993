import { canonicalJson, shortHash } from "../core/hash.ts";
import type { Params } from "../core/params.ts";
import type { Study } from "../core/study.ts";

/** Stands for the files that the values of a cell name; undefined where none of them names any. */
export function valuesVersion({ valueVersions }: Study, params: Params): string | undefined {
  if (valueVersions === undefined) return undefined;
  const versions = Object.entries(valueVersions).flatMap(([name, byValue]) => {
    const version = params[name] === undefined ? undefined : byValue[canonicalJson(params[name])];
    return version === undefined ? [] : [`${name}=${version}`];
  });
  return versions.length === 0 ? undefined : shortHash(versions.join());
}

/** What a run's identity and its record hold of the content that it is about. */
export function contentVersion(task: string | undefined, values: string | undefined): string | undefined {
  return values === undefined ? task : `${task ?? ""}+${values}`;
}
