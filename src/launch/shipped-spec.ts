import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { packageDir } from "../host/package.ts";
import { sims } from "../targets/index.ts";

/** Where a file of the shipped package lies, such as `specs/memory_db_baseline.yaml`. */
export function shippedSpec(path: string): string {
  return join(packageDir(), sims.folder, path);
}

/** The names of the specs that ship. */
export function shippedSpecs(): string[] {
  const files = readdirSync(shippedSpec("specs"));
  return files.filter((file) => file.endsWith(".yaml")).map((file) => basename(file, ".yaml"));
}

/** The study file that a user names: one of their own, or else a spec that ships, by its name or by its path. */
export function findSpec(path: string): string {
  if (/^\w+$/.test(path) && !existsSync(path) && existsSync(shippedSpec(`specs/${path}.yaml`)))
    return shippedSpec(`specs/${path}.yaml`);
  const isOwn = isAbsolute(path) || existsSync(dirname(resolve(path)));
  return !isOwn && existsSync(shippedSpec(path)) ? shippedSpec(path) : path;
}
