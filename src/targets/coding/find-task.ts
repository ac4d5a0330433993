import { UserError } from "../../core/errors.ts";
import { findNear } from "./find-near.ts";
import type { RolloutParams } from "./params.ts";
import { readTask } from "./tasks/index.ts";
import type { ReadOptions } from "./tasks/task.ts";
import { taskVersion } from "./tasks/task-version.ts";

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
