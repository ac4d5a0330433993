import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { errorText, UserError } from "../../../core/errors.ts";
import type { TaskEntry } from "../../../core/select-tasks.ts";
import { suggestion } from "../../../core/suggest.ts";
import { readJson } from "../../../host/files.ts";
import { readWholeTree } from "../../../sandboxes/read-tree.ts";
import type { TreeRest } from "../../../sandboxes/sandbox.ts";
import type { AgentTask } from "./task.ts";

const schema = z.strictObject({
  id: z.string().min(1),
  level: z.string().min(1).default("all"),
  instruction: z.string().min(1),
  test: z.string().min(1),
  check: z.string().min(1),
  passes: z.string().min(1).optional(),
});

/** The folder of a task set: the shipped one, or a user's, relative to the study file. */
export function taskSetDir(set: string, baseDir: string): string {
  if (set !== "shipped") return resolve(baseDir, set);
  const built = import.meta.url.endsWith(".ts") ? "../../../../dist/tasks" : "tasks";
  return fileURLToPath(new URL(built, import.meta.url));
}

/** The tasks of a set, each with its level as its subset. */
export function listTasks(dir: string): TaskEntry[] {
  if (!existsSync(dir))
    throw new UserError(`the task set ${dir} does not exist`, {
      remedy: "Paths are relative to the study file.",
    });
  const names = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dir, entry.name, "task.json")))
    .map(({ name }) => name);
  if (names.length === 0)
    throw new UserError(`there is no task in ${dir}`, {
      expected: "folders, each with task.json, repo/ and check/",
    });
  return names.map((name) => ({ name, subsets: [readTaskFile(dir, name).level] }));
}

/** Loaded once: a study runs each task many times. */
const loaded = new Map<string, AgentTask>();

export function loadTask(dir: string, name: string): AgentTask {
  const key = `${dir}\0${name}`;
  let task = loaded.get(key);
  if (!task) {
    task = readTask(dir, name);
    loaded.set(key, task);
  }
  return task;
}

/** In check/: what the check must report. It is no file of the graded copy. */
const ANSWERS = "answers.json";

function parseAnswers(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path} is no JSON`, { got: errorText(error) });
  }
}

/** A task as it is on disk now. */
export function readTask(dir: string, name: string): AgentTask {
  const { level, instruction, test, check, passes } = readTaskFile(dir, name);
  const repo = readWholeTree(join(dir, name, "repo"));
  const graded = readWholeTree(join(dir, name, "check"));
  const answers = graded.files.get(ANSWERS);
  const below = <T>(map: ReadonlyMap<string, T>) =>
    new Map([...map].map(([path, value]) => [`check/${path}`, value]));
  const checkRest = {
    copies: below(graded.rest.copies),
    links: below(graded.rest.links),
    executables: new Set([...graded.rest.executables].map((path) => `check/${path}`)),
  };
  return {
    ...{ id: name, level, instruction, test, check, passes },
    files: repo.files,
    checkFiles: below(new Map([...graded.files].filter(([path]) => path !== ANSWERS))),
    ...(answers !== undefined && { answers: parseAnswers(answers, join(dir, name, "check", ANSWERS)) }),
    ...(hasAny(repo.rest) && { rest: repo.rest }),
    ...(hasAny(checkRest) && { checkRest }),
  };
}

function hasAny({ copies, links, executables }: TreeRest): boolean {
  return copies.size + links.size + executables.size > 0;
}

function readTaskFile(dir: string, name: string): z.output<typeof schema> {
  const path = join(dir, name, "task.json");
  if (name.includes("/") || name.includes("\0") || !existsSync(path)) {
    const known = listTasks(dir).map((task) => task.name);
    throw new UserError(`there is no task "${name}" in ${dir}`, { remedy: suggestion(name, known) });
  }
  try {
    return schema.parse(readJson(path));
  } catch (error) {
    throw new UserError(`${path} is no task`, {
      expected: "id, level, instruction, test and check",
      got: errorText(error).slice(0, 200),
    });
  }
}
