import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { UserError } from "../../../core/errors.ts";
import { hashTree } from "./hash-tree.ts";
import type { ReadOptions } from "./task.ts";
import { overridesFile } from "./tb-meta/overrides.ts";

/**
 * Stands for all of a task that can make a difference: its folder, and the overrides that hold. Its own overrides.json
 * counts only where it is used. A repository elsewhere is known by its commit, which the folder names.
 */
export function taskVersion(dir: string, { applyOverrides, overrides }: ReadOptions): string {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`the task's folder ${dir} does not exist`, { remedy: "Name a folder with a task." });
  const usesOwn = applyOverrides && overrides === null;
  const content = hashTree(dir, (path) => path === "overrides.json" && !usesOwn);
  if (!applyOverrides || overrides === null) return content;
  const file = overridesFile(dir, overrides);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new UserError(`the overrides ${file} do not exist`, { expected: "a JSON file" });
  return createHash("sha256")
    .update(`${content}\0${hashTree(file)}`)
    .digest("hex")
    .slice(0, 16);
}
