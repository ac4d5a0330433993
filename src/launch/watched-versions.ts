import { UserError } from "../core/errors.ts";
import type { Value } from "../core/params.ts";
import type { CommandRef, Matrix } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import { fillPattern, namesInPattern } from "../core/watch-pattern.ts";
import { versionOfNamed } from "../targets/fingerprint.ts";
import { namesIn, valuesOfParam } from "./settle-tasks.ts";

/** Paths that one pattern may stand for. */
const MOST_PATHS = 10_000;

/** Which state the watched files have that runs name by their parameters or tasks: `watch: [configs/${model}.json]`. */
export function versionsOfWatched(study: Matrix, { watch, cwd }: CommandRef): Matrix["watchVersions"] {
  const patterns = watch.filter((path) => namesInPattern(path).length > 0);
  if (patterns.length === 0) return undefined;
  return Object.fromEntries(patterns.map((pattern) => [pattern, versionsOf(pattern, study, cwd)]));
}

function versionsOf(pattern: string, study: Matrix, cwd: string): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const path of pathsOf(pattern, study)) {
    const version = versionOfNamed(path, cwd);
    if (version !== undefined) versions[path] = version;
    // Where conditions decide which runs there are, there may be none that needs it.
    else if (!isConditional(study)) throw missing(pattern, `no ${path}`);
  }
  if (Object.keys(versions).length === 0) throw missing(pattern, "none of its files");
  return versions;
}

function missing(pattern: string, got: string): UserError {
  return new UserError(`watch: ${pattern}`, {
    expected: "a file for each run",
    got,
    remedy: "Paths are relative to the folder that the command runs in.",
  });
}

function isConditional({ where, axes, search }: Matrix): boolean {
  return where !== undefined || search !== undefined || axes.some(({ when }) => when !== undefined);
}

/** The pattern for each combination of the values that what it names can have. */
function pathsOf(pattern: string, study: Matrix): Set<string> {
  const names = [...new Set(namesInPattern(pattern))];
  const known = [...namesIn(study), ...(study.search?.space ?? []).map(({ name }) => name), "task"];
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new UserError(`watch: ${pattern} names \${${stranger}}, which is not a parameter`, {
      remedy: suggestion(stranger, known),
    });
  const lists = names.map((name): Value[] =>
    name === "task" ? [...(study.tasks ?? [])] : valuesOfParam(study, name),
  );
  const count = lists.reduce((product, list) => product * list.length, 1);
  if (count > MOST_PATHS)
    throw new UserError(`watch: ${pattern} stands for ${count} files`, {
      expected: `at most ${MOST_PATHS}`,
      remedy: "Name fewer parameters in it.",
    });
  const points = lists.reduce<Value[][]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  );
  const paths = points.map((row) =>
    fillPattern(pattern, Object.fromEntries(names.map((name, i) => [name, row[i]!]))),
  );
  return new Set(paths.filter((path) => path !== undefined));
}
