import { lstatSync, realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { type Place, UserError } from "../../../core/errors.ts";
import { pathProblem, plainPath } from "../workspace/inside.ts";

/** A path of a file in the repository; one that leads out of it is a mistake. */
export function repoPath(path: string, place: Place): string {
  const problem = pathProblem(path);
  if (problem === undefined) return plainPath(path);
  throw new UserError(`"${path}" ${problem}`, {
    place,
    expected: "a path inside the repository, such as src/main.py",
  });
}

/** A file of the task's folder; neither its path nor a link may lead out of the folder. */
export function fileOfTask(dir: string, path: string, place: Place): string {
  const real = realPath(resolve(dir, path));
  if (real?.startsWith(realpathSync(dir) + sep) && lstatSync(real).isFile()) return real;
  const got = real === undefined ? `${path}, which is missing` : `${path}, which is elsewhere or no file`;
  throw new UserError("", { place, expected: "a file in the task's folder", got });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
