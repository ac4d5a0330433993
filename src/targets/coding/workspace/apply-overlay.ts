import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorText, UserError } from "../../../core/errors.ts";
import type { Overlay } from "../tasks/task.ts";
import { linkOnTheWay, pathProblem } from "./inside.ts";

/** Lays a task's changes over its repository: removals first. No link in the repository is followed. */
export function applyOverlay(dir: string, { files, copies, remove }: Overlay): void {
  for (const path of remove) {
    checkWay(dir, dirname(path) === "." ? null : dirname(path), path);
    rmSync(join(dir, path), { recursive: true, force: true });
  }
  for (const [path, from] of Object.entries(copies)) put(dir, path, contentOf(from), isExecutable(from));
  for (const [path, text] of Object.entries(files)) put(dir, path, text, text.startsWith("#!"));
}

function put(dir: string, path: string, content: string | Buffer, executable: boolean): void {
  checkWay(dir, path, path);
  const file = join(dir, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    throw new UserError(`the task's overlay can't put ${path} into the repository`, {
      got: errorText(error),
    });
  }
  if (executable) chmodSync(file, 0o755);
}

function checkWay(dir: string, way: string | null, path: string): void {
  const problem = pathProblem(path);
  const link = problem === undefined && way !== null ? linkOnTheWay(dir, way) : undefined;
  if (problem === undefined && link === undefined) return;
  throw new UserError(
    `the task's overlay names ${path}, which ${problem ?? `leads through the link ${link}`}`,
    {
      expected: "a path of a file in the repository",
    },
  );
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UserError(`the task's overlay can't read ${path}`, { got: errorText(error) });
  }
}

function isExecutable(path: string): boolean {
  return (statSync(path).mode & 0o100) !== 0;
}
