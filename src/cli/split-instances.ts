import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import { plural } from "../core/number-text.ts";
import { openDataset } from "../launch/read-dataset.ts";
import { readTask } from "../targets/coding/tasks/index.ts";

const NAME = /^[\w][\w.-]*$/;

/** Makes a task's folder of each instance of a table like SWE-bench's, and says which of them can't be read. */
export async function splitInstances(file: string, dir: string, { json }: { json?: boolean }): Promise<void> {
  const items = await openDataset({ path: resolve(file), id: "instance_id" }, { file });
  const odd = [...items.keys()].find((name) => !NAME.test(name));
  if (odd !== undefined)
    throw new UserError(`the instance ${JSON.stringify(odd)} can't be a folder`, {
      place: { file },
      expected: "letters, digits, dots, dashes and underscores in instance_id",
    });
  const tasks: { task: string; problem: string | null }[] = [];
  for (const [name, fields] of items) {
    const task = join(dir, name);
    mkdirSync(task, { recursive: true });
    writeFileSync(join(task, "instance.json"), `${JSON.stringify(fields, null, 2)}\n`);
    tasks.push({ task, problem: problemOf(task) });
  }
  const bad = tasks.filter(({ problem }) => problem !== null);
  if (bad.length > 0) process.exitCode = 1;
  if (json) {
    console.log(JSON.stringify({ tasks }));
    return;
  }
  for (const { problem } of bad) console.error(problem);
  console.log(
    `${plural(tasks.length, "task")} in ${dir}${bad.length > 0 ? `, ${bad.length} of which can't be read` : ""}`,
  );
  console.log(`Next: assay tasks check ${dir}`);
}

function problemOf(task: string): string | null {
  try {
    readTask(task, { applyOverrides: true, overrides: null });
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
