import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import { findNear } from "./find-near.ts";
import type { RolloutParams } from "./params.ts";
import { hashTree } from "./tasks/hash-tree.ts";
import { readTask } from "./tasks/index.ts";
import type { ReadOptions } from "./tasks/task.ts";
import { overridesFile } from "./tasks/tb-meta/overrides.ts";

type Overriding = Pick<RolloutParams, "overrides" | "apply_overrides">;

/** The folder of a task, as a study names it. */
export function findTask(task: string | null, baseDir: string): string {
  if (task === null)
    throw new UserError("a rollout needs a task", {
      remedy: "Write tasks: [./tasks/first] into the study.",
    });
  const dir = findNear(task, baseDir);
  if (dir === undefined)
    throw new UserError(`the task ${task} does not exist`, {
      remedy: "Paths are relative to the folder that the command is called in, or to the study's.",
    });
  return dir;
}

export function readOptions({ overrides, apply_overrides }: Overriding, baseDir: string): ReadOptions {
  const isNamed = overrides !== "" && apply_overrides;
  return {
    applyOverrides: apply_overrides,
    overrides: isNamed ? (findNear(overrides, baseDir) ?? overrides) : null,
  };
}

/** Which state of its content a task has, with the overrides that hold. One that can't be read is a UserError. */
export function versionOfTask(task: string, params: Overriding, baseDir: string): string {
  const dir = findTask(task, baseDir);
  const options = readOptions(params, baseDir);
  readTask(dir, options);
  return taskVersion(dir, options);
}

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
