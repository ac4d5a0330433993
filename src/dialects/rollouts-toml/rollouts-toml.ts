import { UserError } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import { type DeclaredStudy, type Limits, USUAL_LIMITS } from "../../core/study.ts";
import { checkShape } from "../check-shape.ts";
import type { Dialect } from "../dialect.ts";
import { stem } from "../native.ts";
import type { SourceFile } from "../source-file.ts";
import { type RolloutsFile, rolloutsSchema } from "./schema.ts";

/** The files that run coding agents on prepared tasks: `[[tasks]]`, each with a model and how often. */
export const rolloutsToml: Dialect = {
  name: "rollouts-toml",
  description: "rollouts file: parallel, [[tasks]] with prepared_dir, model, agent, rollouts",
  detects: ({ data }) =>
    !("target" in data) &&
    Array.isArray(data.tasks) &&
    data.tasks.some((task) => typeof task === "object" && task !== null),
  parse(file) {
    const spec = withFolders(checkShape(rolloutsSchema(), file), file);
    const cells = readCells(spec);
    const { names, rows, fixed, entries } = cells;
    const tasks = [...new Set(entries.map(({ task }) => task))];
    const most = entries.reduce((all, { first, count }) => Math.max(all, first + count - 1), 1);
    const study: DeclaredStudy = {
      name: spec.name ?? stem(file.path),
      target: { kind: "shipped", name: "rollout" },
      params: { ...fixed, ...sharedParams(spec) },
      axes: names.length > 0 ? [{ names, rows }] : [],
      variants: [{ name: "baseline", params: {}, flags: [] }],
      seeds: Array.from({ length: most }, (_, i) => i + 1),
      tasks,
      repeats: { warmup: 0, measured: 1 },
      iterations: { warmup: 0, measured: 1 },
      instruments: [],
      limits: USUAL_LIMITS,
      executor: { kind: "", jobs: spec.parallel },
      artifacts: "all",
      analysis: { metric: "score", goal: "maximize", pairBy: ["task"] },
      outRoot: "data/rollouts",
      isStamped: true,
      numbering: entries.map(({ task, cell: row, first, count }) => ({ task, row, first, count })),
      env: {},
      label: [...names.map((name) => `\${${name}}`), "${task}", "rollout${seed}"].join("__"),
    };
    const where = conditionOf(cells, { tasks, most });
    if (where !== undefined) study.where = where;
    if (names.length > 0)
      study.analysis.baseline = Object.fromEntries(names.map((name, i) => [name, rows[0]![i]!]));
    Object.assign(study.limits, limitsOf(spec));
    return study;
  },
  paths: { param: (name) => [KEYS[name] ?? name] },
};

/** What all rollouts together may take. */
function limitsOf(spec: RolloutsFile): Partial<Limits> {
  return {
    ...(spec.max_cost !== undefined && { costUsd: spec.max_cost }),
    ...(spec.max_study_calls !== undefined && { calls: spec.max_study_calls }),
    ...(spec.max_study_tokens !== undefined && { tokens: spec.max_study_tokens }),
    ...(spec.max_time !== undefined && { wallMs: spec.max_time }),
    ...(spec.calls_per_minute !== undefined && { callsPerMinute: spec.calls_per_minute }),
    ...(spec.calls_at_once !== undefined && { callsAtOnce: spec.calls_at_once }),
  };
}

/** An entry for each folder that a pattern such as `tasks/*` means. */
function withFolders(spec: RolloutsFile, { findFolders, locate }: SourceFile): RolloutsFile {
  const tasks = spec.tasks.flatMap((task, i) => {
    const { prepared_dir } = task;
    if (!/[*?[{]/.test(prepared_dir) || !findFolders) return [task];
    const found = findFolders(prepared_dir);
    if (found.length > 0) return found.map((folder) => ({ ...task, prepared_dir: folder }));
    throw new UserError(`no folder is ${prepared_dir}`, {
      place: locate(["tasks", i, "prepared_dir"]),
      remedy: "Paths are relative to the folder that the command is called in, or to the file's.",
    });
  });
  return { ...spec, tasks };
}

/** What a file calls the target's parameters, where that differs. */
const KEYS: Record<string, string> = { env: "environment_variables", agent_timeout_s: "timeout" };

/** Keys that the target knows by the same names. */
const AS_THEY_ARE = [
  ...([
    "sandbox",
    "network",
    "grade_network",
    "build_network",
    "memory_mb",
    "disk_mb",
    "agent_options",
  ] as const),
  ...(["judge", "judge_repeats", "max_calls", "max_tokens", "max_cost_usd", "prices"] as const),
];

function sharedParams({ timeout, ...file }: RolloutsFile): Params {
  const params: Params = {};
  for (const name of AS_THEY_ARE) if (file[name] !== undefined) params[name] = file[name];
  if (timeout !== undefined) params.agent_timeout_s = timeout / 1000;
  return params;
}

/** What the entries of a file may differ in, by the names of the target's parameters. */
const NAMES = ["model", "agent", "apply_overrides", "overrides", "env"] as const;

/** What a target takes for granted; a parameter that has this value everywhere is not written down. */
const UNSAID: Params = { model: "", agent: "codex", apply_overrides: true, overrides: "", env: {} };

/** One entry of the file: which rollouts of which cell it asks for on its task. */
export interface Entry {
  task: string;
  cell: number;
  /** Numbers of its rollouts: from `first`, `count` of them. Of two equal entries the second goes on counting. */
  first: number;
  count: number;
}

export interface Cells {
  /** What really varies. */
  names: string[];
  /** One row per cell, in the order of the file. */
  rows: Value[][];
  /** What all cells share, as far as the file says it. */
  fixed: Params;
  entries: Entry[];
}

/** The distinct ways of running a task, and which entry asks for which of them how often. */
function readCells({ tasks, agent }: RolloutsFile): Cells {
  const keys = new Map<string, number>();
  const cells: Params[] = [];
  const asked = new Map<string, number>();
  const entries = tasks.map((task): Entry => {
    const params: Params = {
      model: task.model,
      agent: (task.agent ?? agent ?? UNSAID.agent) as Value,
      apply_overrides: task.apply_overrides,
      overrides: ownOverrides(task) ? "" : task.overrides,
      env: task.environment_variables,
    };
    const key = canonicalJson(params);
    const cell = keys.get(key) ?? cells.push(params) - 1;
    keys.set(key, cell);
    const slot = `${cell} ${task.prepared_dir}`;
    const before = asked.get(slot) ?? 0;
    asked.set(slot, before + task.rollouts);
    return { task: task.prepared_dir, cell, first: before + 1, count: task.rollouts };
  });
  const varies = (name: string) =>
    cells.some((cell) => canonicalJson(cell[name]) !== canonicalJson(cells[0]![name]));
  const names = NAMES.filter(varies);
  const fixed: Params = {};
  for (const name of NAMES) {
    const value = cells[0]![name]!;
    if (!names.includes(name) && canonicalJson(value) !== canonicalJson(UNSAID[name])) fixed[name] = value;
  }
  return { names, rows: cells.map((cell) => names.map((name) => cell[name]!)), fixed, entries };
}

/** A task's own overrides.json holds anyway: named in the file, it is no other way of running the task. */
function ownOverrides({ prepared_dir: dir, overrides }: RolloutsFile["tasks"][number]): boolean {
  return overrides.replace(/^\.\//, "") === `${dir.replace(/^\.\//, "")}/overrides.json`;
}

/**
 * The condition that leaves out what no entry asks for: undefined where every cell has all tasks, each with all
 * rollouts. Tasks with the same number of rollouts stand together, so that it grows with the cells, not with the runs.
 */
function conditionOf(
  { names, rows, entries }: Cells,
  { tasks, most }: { tasks: readonly string[]; most: number },
): string | undefined {
  const counts = rows.map(() => new Map<string, number>());
  for (const { task, cell, first, count } of entries) counts[cell]!.set(task, first + count - 1);
  const isFull = counts.every(
    (ofTask) => ofTask.size === tasks.length && [...ofTask.values()].every((count) => count === most),
  );
  if (isFull) return undefined;
  const parts = counts.flatMap((ofTask, cell) => {
    const byCount = new Map<number, string[]>();
    for (const [task, count] of ofTask) byCount.set(count, [...(byCount.get(count) ?? []), task]);
    return [...byCount].map(([count, chosen]) =>
      [
        ...names.map((name, column) => equals(name, rows[cell]![column]!, column, rows)),
        ...(count < most ? [`seed <= ${count}`] : []),
        ...(chosen.length < tasks.length ? [`task in ${literal(chosen)}`] : []),
      ].join(" && "),
    );
  });
  return parts.length === 1 ? parts[0] : parts.map((part) => `(${part})`).join(" || ");
}

/** Named values are told apart key by key, since the language has no literal for them. */
function equals(name: string, value: Value, column: number, rows: readonly Value[][]): string {
  if (!rows.some((row) => isNamed(row[column]!))) return `${name} == ${literal(value)}`;
  const keys = new Set(rows.flatMap((row) => (isNamed(row[column]!) ? Object.keys(row[column]!) : [])));
  const ofKey = (from: Value, key: string): Value => (isNamed(from) ? (from[key] ?? null) : null);
  const parts = [...keys].map((key) =>
    equals(
      `${name}.${key}`,
      ofKey(value, key),
      0,
      rows.map((row) => [ofKey(row[column]!, key)]),
    ),
  );
  return [...(isNamed(value) ? [] : [`${name} == ${literal(value)}`]), ...parts].join(" && ");
}

function isNamed(value: Value): value is Record<string, Value> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The language takes what follows a backslash as it is. */
function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  return `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
}
