import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { packageDir } from "../host/package.ts";
import { sims } from "../targets/index.ts";

/** Where a file of the shipped package lies, such as `specs/memory_db_baseline.yaml`. */
export function shippedSpec(path: string): string {
  return join(packageDir(), sims.folder, path);
}

/** The study file that a user names: one of their own, or else a spec that ships, unless they have such a folder. */
export function findSpec(path: string): string {
  const isOwn = isAbsolute(path) || existsSync(dirname(resolve(path)));
  return !isOwn && existsSync(shippedSpec(path)) ? shippedSpec(path) : path;
}
