import { existsSync, readdirSync } from "node:fs";
import { dirname, relative } from "node:path";
import { readOutcomes } from "../archive/read-outcomes.ts";
import { type Place, placeText, UserError } from "../core/errors.ts";
import { plural, rounded } from "../core/number-text.ts";
import type { Params } from "../core/params.ts";
import type { MetricInfos } from "../core/run.ts";
import type { Analysis, Axis, CommandRef, DeclaredStudy, Matrix, Study, TargetRef } from "../core/study.ts";
import { nearest } from "../core/suggest.ts";
import type { Warning } from "../core/warning.ts";
import type { Places } from "../dialects/check-shape.ts";
import { likenessOf } from "../stats/duels/likeness.ts";
import { taskEasiness } from "../stats/rasch.ts";
import { missingScript } from "../targets/command/missing-script.ts";
import { shippedTargets } from "../targets/index.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Target } from "../targets/target.ts";
import type { LoadedStudy } from "./load-study.ts";
import { openDataset } from "./read-dataset.ts";
import { settleLists } from "./settle-lists.ts";
import { settleNames, settleSpelling } from "./settle-names.ts";
import { findVersions, settleTasks } from "./settle-tasks.ts";
import { versionsOfWatched } from "./watched-versions.ts";

export interface SettledStudy {
  study: Readonly<Study>;
  /** Undefined for a program. */
  target: Target | undefined;
}

/** Answers what a study's file leaves open: which target a name means, what lists and names mean to it, which tasks. */
export async function settleStudy({ study: declared, places, spec }: LoadedStudy): Promise<SettledStudy> {
  const baseDir = dirname(spec.path);
  const ref = findTarget(declared.target, baseDir, places.target());
  const target = ref.kind === "command" ? undefined : await loadTarget(ref);
  const { open: _, ...stated } = declared;
  const { warnings: leftOut, ...effective } = leaveOut(declared, target, places);
  const lists = settleLists({ ...declared, ...effective }, target, places);
  const { search: found, warnings: renamed = [] } = searchOf(declared, target);
  const open = { ...declared, ...lists, ...(found && { search: found }) };
  const spelled = target ? settleSpelling(open, target) : { study: open, warnings: [] };
  const { params, axes, search } = spelled.study;
  const items = open.open?.dataset && (await openDataset(open.open.dataset, places.at(["tasks"])));
  const tasks = items ? [...items.keys()] : settleTasks({ ...declared, params }, { target, baseDir, places });
  const matrix: Matrix = {
    ...stated,
    params,
    axes,
    ...(search && { search }),
    ...(tasks && { tasks }),
    ...(items && { items }),
  };
  const doubts = ref.kind === "command" ? [missingScript(ref), unnamedTask(ref, matrix)] : [];
  const watchVersions = ref.kind === "command" ? versionsOfWatched(matrix, ref) : undefined;
  const warnings = [
    ...(declared.warnings ?? []),
    ...leftOut,
    ...renamed,
    ...spelled.warnings,
    ...doubts.filter((doubt) => doubt !== undefined),
  ];
  const analysis = analysisOf(declared, target);
  const earlier = settleHistory({ ...matrix, analysis }, target?.metrics);
  return {
    target,
    study: {
      ...{ ...stated, ...matrix, target: ref, ...findVersions(matrix, { ref, target, baseDir }) },
      analysis,
      ...earlier,
      ...(watchVersions && { watchVersions }),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

/** A target that says what its results are is judged by those, unless the file names another metric. */
function analysisOf({ analysis, open }: Readonly<DeclaredStudy>, target: Target | undefined): Analysis {
  const hasResults = Object.values(target?.metrics ?? {}).some(({ primary }) => primary);
  return hasResults ? analysis : { ...open?.analysis, ...analysis };
}

/** A command without a place for its task may do the same whatever the task. */
function unnamedTask({ argv, isWorker }: CommandRef, { tasks, items }: Matrix): Warning | undefined {
  if (tasks === undefined || tasks.length < 2 || isWorker) return undefined;
  if (argv.some((word) => /\$\{task[}.]/.test(word))) return undefined;
  const variables = items ? "ASSAY_TASK or ASSAY_TASK_FILE" : "ASSAY_TASK";
  const text = `the command does not name \${task}: all ${tasks.length} tasks run alike unless the program reads ${variables}`;
  return { kind: "unnamed-task", level: "warn", text };
}

function searchOf(
  { search, open, params }: Readonly<DeclaredStudy>,
  target: Target | undefined,
): { search?: Study["search"]; warnings?: Warning[] } {
  if (!search || !open?.names) return { search };
  return settleNames(search, target?.sweeps ?? {}, params);
}

const ENDINGS = [".ts", ".mts", ".js", ".mjs"];

/** A name is that of a target that ships, or of a file of the user's beside the study or in targets/ there. */
export function findTarget(ref: DeclaredStudy["target"], baseDir: string, place: Place): TargetRef {
  if (ref.kind !== "named") return ref;
  const { name } = ref;
  if (Object.hasOwn(shippedTargets, name)) return { kind: "shipped", name };
  const looked = [baseDir, `${baseDir}/targets`].flatMap((dir) =>
    ENDINGS.map((ending) => `${dir}/${name}${ending}`),
  );
  const isPlain = /^[\w.-]+$/.test(name);
  const path = isPlain ? looked.find((file) => existsSync(file)) : undefined;
  if (path !== undefined) return { kind: "file", path };
  const near = nearest(name, [
    ...Object.keys(shippedTargets),
    ...modulesIn(baseDir),
    ...modulesIn(`${baseDir}/targets`),
  ]);
  const dir = relative(process.cwd(), baseDir) || ".";
  throw new UserError(`there is no target "${name}"`, {
    place,
    remedy: [
      near.length > 0
        ? `Did you mean ${near.map((word) => `"${word}"`).join(" or ")}?`
        : `Targets that ship: ${Object.keys(shippedTargets).join(", ")}.`,
      isPlain &&
        `Looked for ${dir}/${name}{${ENDINGS.join(",")}} and ${dir}/targets/${name}{${ENDINGS.join(",")}}.`,
      "A file elsewhere starts with ./",
    ]
      .filter(Boolean)
      .join(" "),
  });
}

/** Names of the modules in a folder, as a study would say them. */
function modulesIn(dir: string): string[] {
  const ending = /\.[cm]?[jt]s$/;
  try {
    return readdirSync(dir)
      .filter((file) => ending.test(file))
      .map((file) => file.replace(ending, ""));
  } catch {
    return [];
  }
}

interface ObjectSchema {
  _zod?: {
    def: {
      innerType?: ObjectSchema;
      shape?: Record<string, ObjectSchema>;
      catchall?: { _zod: { def: { type: string } } };
    };
  };
}

/**
 * A study without what its file may have in vain: nested entries that the target does not have, and parameters of earlier
 * versions. Each is told with its line. Any other name that the target does not have stays, and is a mistake.
 */
function leaveOut(
  study: Readonly<DeclaredStudy>,
  target: Target | undefined,
  places: Places,
): { params: Params; axes: Axis[]; warnings: Warning[] } {
  const { params, axes } = study;
  const names = namesOf(target?.params as ObjectSchema | undefined);
  const loose = study.open?.loose;
  if (!loose || !target || !names) return { params, axes, warnings: [] };
  const warnings: Warning[] = [];
  const tell = (place: string, name: string) => {
    const text = `${place}: has no effect: ${target.name} has no parameter "${name}"`;
    warnings.push({ kind: "left-out", level: "warn", text });
  };
  const isEarlier = (name: string) => loose.earlier.includes(name) && !names.has(name);
  const kept: Params = {};
  for (const [name, value] of Object.entries(params)) {
    if (isEarlier(name)) tell(placeText(places.param(name)), name);
    else if (name === loose.nested && typeof value === "object" && value !== null && !Array.isArray(value)) {
      const own = names.get(name);
      const inner = own ? namesOf(own) : names;
      const entries = Object.entries(value).filter(([key]) => {
        if (!inner || inner.has(key)) return true;
        tell(placeText(places.param(name, key)), key);
        return false;
      });
      if (own || entries.length > 0) kept[name] = Object.fromEntries(entries);
    } else kept[name] = value;
  }
  const left = axes.filter(({ names: [name] }) => {
    const isLeftOut = isEarlier(name!);
    if (isLeftOut) tell(placeText(places.param(name!)), name!);
    return !isLeftOut;
  });
  return { params: kept, axes: left, warnings };
}

/** The names that a schema has; undefined where it takes others, too. */
function namesOf(schema: ObjectSchema | undefined): Map<string, ObjectSchema> | undefined {
  const def = schema?._zod?.def;
  if (def?.innerType) return namesOf(def.innerType);
  if (!def?.shape || def.catchall?._zod.def.type !== "never") return undefined;
  return new Map(Object.entries(def.shape));
}

/**
 * What `analysis.decide.history` says: how easy each of the study's tasks is, where one that nobody tried counts as a middling one,
 * and how far claims may count on arms being like those agents.
 */
function settleHistory(
  { analysis, tasks }: Pick<Study, "analysis" | "tasks">,
  infos: MetricInfos = {},
): Pick<Study, "easiness" | "alike"> {
  const { history: path, assume } = analysis.decide ?? {};
  if (path === undefined) return {};
  const place = "analysis.decide.history";
  const shown = relative(process.cwd(), path);
  const metric = analysis.metric ?? "";
  const goal = analysis.goal ?? infos[metric]?.direction;
  const [least, most] = analysis.decide?.range ?? infos[metric]?.range ?? [0, 1];
  const { tasks: known, rows } = readOutcomes(path, metric, goal === "minimize" ? most : least);
  const own = new Set(tasks ?? []);
  const columns = [...known.keys()].filter((i) => own.has(known[i]!));
  if (columns.length === 0)
    throw new UserError(place, {
      expected: "outcomes on tasks of this study",
      got: `${shown}, which has ${known.slice(0, 2).join(", ")}${known.length > 2 ? ", ..." : ""}`,
      remedy: "Name the tasks as the study does.",
    });
  const scaled = rows.map((row) =>
    columns.map((i) => {
      const value = row[i] ?? null;
      if (value !== null && !(value >= least && value <= most))
        throw new UserError(place, {
          expected: `outcomes from ${least} to ${most}, as ${metric} has`,
          got: `${value} (${known[i]} in ${shown})`,
        });
      return value === null ? null : (value - least) / (most - least);
    }),
  );
  const easiness = taskEasiness(scaled);
  const middling = easiness.toSorted((a, b) => a - b)[easiness.length >> 1]!;
  const of = new Map(columns.map((column, i) => [known[column]!, easiness[i]!]));
  const likeness = assume === "nothing" ? undefined : likenessOf(scaled, easiness);
  if (assume === "alike" && likeness === undefined)
    throw new UserError("analysis.decide.assume", {
      expected: "agents in the history that are like each other, ten or more",
      got: `${plural(scaled.length, "agent")} of ${shown} that can't be counted on`,
      remedy:
        "Leave it out, or write assume: nothing: each task then counts by its chance, and the study takes longer.",
    });
  // Three digits are as many as an estimate has, and study.json stays readable.
  return {
    easiness: Object.fromEntries([...own].map((task) => [task, rounded(of.get(task) ?? middling, 3)])),
    ...(likeness && { alike: { agents: scaled.length, temper: rounded(likeness.temper, 3) } }),
  };
}
