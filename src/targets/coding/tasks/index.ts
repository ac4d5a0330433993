import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../core/errors.ts";
import { assayTask } from "./assay-task.ts";
import { harbor } from "./harbor/index.ts";
import { sweBench } from "./swe-bench/index.ts";
import type { ReadOptions, RolloutTask, TaskReader } from "./task.ts";
import { tbMeta } from "./tb-meta/index.ts";
import { terminalBench } from "./terminal-bench.ts";

/** Formats of task folders; the first that knows a folder reads it. */
const taskReaders: readonly TaskReader[] = [tbMeta, harbor, terminalBench, sweBench, assayTask];

export function readTask(dir: string, options: ReadOptions): RolloutTask {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`the task's folder ${dir} does not exist`, { remedy: "Name a folder with a task." });
  return readerOf(dir).read(dir, options);
}

/** The folder itself, or the folders of tasks right below it. */
export function tasksIn(dir: string): string[] {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`the folder ${dir} does not exist`, { remedy: "Name folders of tasks." });
  if (isTask(dir)) return [dir];
  const below = readdirSync(dir)
    .sort()
    .map((name) => join(dir, name))
    .filter(isTask);
  if (below.length > 0) return below;
  throw new UserError(`there is no task in ${dir}`, {
    expected: `there, or in folders right below it: ${LOOKED_FOR}`,
  });
}

const isTask = (dir: string) => taskReaders.some(({ detects }) => detects(dir));

const LOOKED_FOR = taskReaders.map(({ name, looksFor }) => `${looksFor} (${name})`).join(", or ");

function readerOf(dir: string): TaskReader {
  const reader = taskReaders.find(({ detects }) => detects(dir));
  if (reader) return reader;
  throw new UserError(`${dir} is no task`, { expected: LOOKED_FOR });
}
