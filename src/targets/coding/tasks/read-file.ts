import { lstatSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { z } from "zod";
import { errorCode, errorText, type Place, UserError } from "../../../core/errors.ts";
import { clearestIssue, explainIssue, shownValue } from "../../../core/explain-issue.ts";
import { readText as readFile } from "../../../host/files.ts";
import { pathProblem, plainPath } from "../workspace/inside.ts";

/** A text of a task's folder; where it is missing, the message says what it should have been. */
export function readText(dir: string, name: string, expected: string): string {
  const file = join(dir, name);
  try {
    return readFile(file);
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT";
    throw new UserError(`${file} ${isMissing ? "is missing" : "can't be read"}`, {
      expected,
      ...(!isMissing && { got: errorText(error) }),
      remedy: isMissing ? `Add ${name} to the task's folder, or take the task out of the study.` : "",
    });
  }
}

/** A file's data, with its format's own complaint where it is broken. */
export function parseText(text: string, file: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UserError(`${file} can't be read`, {
      got: errorText(error).split("\n")[0]!.replace(/\.$/, ""),
    });
  }
}

/** Data in the shape that it should have; the first thing that is wrong is named with its place. */
export function checkTask<S extends z.ZodType>(schema: S, data: unknown, file: string): z.output<S> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issue = clearestIssue(result.error.issues)!;
  let got: unknown = data;
  for (const key of issue.path) got = (got as Record<PropertyKey, unknown> | undefined)?.[key];
  throw new UserError("", {
    place: { file, path: issue.path.join(".") },
    expected: explainIssue(issue),
    got: got === undefined ? "nothing" : shownValue(got),
  });
}

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
