import { type Place, UserError } from "../core/errors.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import { plural } from "../core/number-text.ts";
import type { Value } from "../core/params.ts";
import { selectTasks, type TaskEntry, type TaskSelection } from "../core/select-tasks.ts";
import type { DeclaredStudy, Matrix, TargetRef } from "../core/study.ts";
import { suggestion } from "../core/suggest.ts";
import type { Places } from "../dialects/check-shape.ts";
import { checkParams } from "../targets/check-params.ts";
import { versionOfNamed } from "../targets/fingerprint.ts";
import type { Target } from "../targets/target.ts";

interface Surroundings {
  target: Target | undefined;
  baseDir: string;
  places: Places;
}

/** The tasks that a study chooses from its target's, or those that it names, which must be there. */
export function settleTasks(
  { tasks: named, open, params }: Readonly<DeclaredStudy>,
  { target, baseDir, places }: Surroundings,
): string[] | undefined {
  const selection = open?.tasks;
  if (!named && !selection) return undefined;
  const place = places.at(["tasks"]);
  if (!target?.tasks) {
    if (!selection) return named;
    throw new UserError("the target has no list of tasks to choose from", {
      place,
      expected: "names",
      remedy: "Write tasks: [first, second].",
    });
  }
  const known = target.tasks(checkParams(target, params), baseDir);
  const tasks = selection ? chooseTasks(known, selection, place) : named!;
  const names = new Set(known.map(({ name }) => name));
  const missing = tasks.find((name) => !names.has(name));
  if (missing === undefined) return tasks;
  throw new UserError(`there is no task "${missing}"`, { place, remedy: suggestion(missing, [...names]) });
}

function chooseTasks(known: readonly TaskEntry[], selection: TaskSelection, place: Place): string[] {
  try {
    return selectTasks(known, selection);
  } catch (error) {
    throw error instanceof UserError ? error.at(place) : error;
  }
}

/** Which state the content has that tasks and values of parameters name, where that can be told. */
export function findVersions(
  study: Matrix,
  { ref, target, baseDir }: { ref: TargetRef; target: Target | undefined; baseDir: string },
): Pick<Matrix, "taskVersions" | "valueVersions"> {
  const ofFile = ref.kind === "command" ? (value: unknown) => versionOfNamed(value, ref.cwd) : undefined;
  const { items } = study;
  const taskVersions = items
    ? versionsBy([...items.keys()], (task) => shortHash(canonicalJson(items.get(task)!)))
    : target
      ? versionsOfTasks(study, target, baseDir)
      : versionsBy(study.tasks ?? [], (task) => ofFile?.(task));
  const valueVersions = versionsOfValues(study, (param, value) =>
    target ? target.valueVersion?.(param, value, baseDir) : ofFile?.(value),
  );
  return { ...(taskVersions && { taskVersions }), ...(valueVersions && { valueVersions }) };
}

/** A version each; none at all where the target has none, or where tasks come from several places. */
function versionsOfTasks(study: Matrix, target: Target, baseDir: string): Matrix["taskVersions"] {
  const { taskSetParam } = target;
  if (!study.tasks || !target.taskVersion) return undefined;
  if (taskSetParam !== undefined && new Set(valuesOfParam(study, taskSetParam)).size > 1) return undefined;
  const params = checkParams(target, study.params);
  return versionsBy(study.tasks, (task) => target.taskVersion!(task, params, baseDir));
}

function versionsBy(
  tasks: readonly string[],
  versionOf: (task: string) => string | undefined,
): Matrix["taskVersions"] {
  const versions: Record<string, string> = {};
  const broken: string[] = [];
  for (const task of tasks) {
    try {
      const version = versionOf(task);
      if (version !== undefined) versions[task] = version;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      broken.push(`${task}: ${error.message.replace(/\.$/, "")}`);
    }
  }
  if (broken.length > 0) throw new UserError(brokenText(broken, tasks.length));
  return Object.keys(versions).length > 0 ? versions : undefined;
}

const MOST_BROKEN = 10;

function brokenText(broken: readonly string[], total: number): string {
  const shown = broken.slice(0, MOST_BROKEN).map((line) => `\n  ${line}`);
  const more = broken.length - shown.length;
  return `${broken.length} of ${plural(total, "task")} can't be read:${shown.join("")}${more > 0 ? `\n  and ${more} more` : ""}`;
}

function versionsOfValues(
  study: Matrix,
  versionOf: (param: string, value: Value) => string | undefined,
): Matrix["valueVersions"] {
  const versions: NonNullable<Matrix["valueVersions"]> = {};
  for (const param of namesIn(study)) {
    for (const value of valuesOfParam(study, param)) {
      const version = versionOf(param, value);
      if (version !== undefined) versions[param] = { ...versions[param], [canonicalJson(value)]: version };
    }
  }
  return Object.keys(versions).length > 0 ? versions : undefined;
}

export function namesIn({ params, variants, axes }: Matrix): Set<string> {
  return new Set([
    ...Object.keys(params),
    ...variants.flatMap((variant) => Object.keys(variant.params)),
    ...axes.flatMap(({ names }) => names),
  ]);
}

/** Every value that a parameter takes somewhere in a study, as far as its file names them. */
export function valuesOfParam({ params, variants, axes, search }: Matrix, name: string): Value[] {
  const searched = (search?.space ?? []).flatMap(({ name: own, distribution }) => {
    if (own !== name) return [];
    if (distribution.kind === "constant") return [distribution.value];
    return distribution.kind === "categorical" ? distribution.values : [];
  });
  const values = [
    params[name],
    ...variants.map((variant) => variant.params[name]),
    ...axes.flatMap(({ names, rows }) =>
      names.includes(name) ? rows.map((row) => row[names.indexOf(name)]) : [],
    ),
    ...searched,
  ];
  return values.filter((value) => value !== undefined);
}
