import { existsSync } from "node:fs";
import { join } from "node:path";
import { findTask, readOptions } from "./find-task.ts";
import type { RolloutParams } from "./params.ts";
import { readTask } from "./tasks/index.ts";
import type { RolloutTask } from "./tasks/task.ts";
import { workRoot } from "./work-folder.ts";
import type { Base } from "./workspace/base.ts";
import { openBase } from "./workspace/open-base.ts";

/** Read once in each thread: all runs of a study see a task as it was at the first of them. */
const known = new Map<string, RolloutTask>();

interface Named {
  task: string | null;
  params: Pick<RolloutParams, "overrides" | "apply_overrides">;
  baseDir: string;
}

/** A task with the overrides that the study wants. A UserError where something of it is missing. */
export function openTask({ task, params, baseDir }: Named): RolloutTask {
  const dir = findTask(task, baseDir);
  const options = readOptions(params, baseDir);
  const key = JSON.stringify([dir, options]);
  const found = known.get(key) ?? readTask(dir, options);
  known.set(key, found);
  return found;
}

const bases = new WeakMap<RolloutTask, Base>();

/** Its repository, made once for everybody on this machine who needs it, and looked for once in each thread. */
export async function openTaskBase(task: RolloutTask): Promise<Base> {
  const known = bases.get(task);
  if (known && existsSync(known.dir)) return known;
  const base = await openBase(task, { cacheDir: join(workRoot(), "bases") });
  bases.set(task, base);
  return base;
}
