import { statSync } from "node:fs";
import { UserError } from "../../../core/errors.ts";
import { assayTask } from "./assay-task.ts";
import { harbor } from "./harbor.ts";
import type { ReadOptions, RolloutTask, TaskReader } from "./task.ts";
import { tbMeta } from "./tb-meta/index.ts";
import { terminalBench } from "./terminal-bench.ts";

/** Formats of task folders; the first that knows a folder reads it. */
const taskReaders: readonly TaskReader[] = [tbMeta, harbor, terminalBench, assayTask];

export function readTask(dir: string, options: ReadOptions): RolloutTask {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`the task's folder ${dir} does not exist`, { remedy: "Name a folder with a task." });
  return readerOf(dir).read(dir, options);
}

function readerOf(dir: string): TaskReader {
  const reader = taskReaders.find(({ detects }) => detects(dir));
  if (reader) return reader;
  throw new UserError(`${dir} is no task`, {
    expected: taskReaders.map(({ name, looksFor }) => `${looksFor} (${name})`).join(", or "),
  });
}
