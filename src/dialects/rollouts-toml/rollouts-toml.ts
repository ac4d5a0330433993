import { UserError } from "../../core/errors.ts";
import type { Params } from "../../core/params.ts";
import type { DeclaredStudy, Limits } from "../../core/study.ts";
import { checkShape } from "../check-shape.ts";
import type { Dialect } from "../dialect.ts";
import { stem } from "../native.ts";
import type { SourceFile } from "../source-file.ts";
import { conditionOf } from "./condition.ts";
import { readCells } from "./read-cells.ts";
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
    const spec = withFolders(checkShape(rolloutsSchema, file), file);
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
      limits: { timeoutMs: 0, graceMs: 5000, retries: 0, backoffMs: 1000, stdoutBytes: 10_000_000 },
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
  ...(["sandbox", "network", "grade_network", "memory_mb", "disk_mb", "agent_options"] as const),
  ...(["judge", "judge_repeats", "max_calls", "max_tokens", "max_cost_usd", "prices"] as const),
];

function sharedParams({ timeout, ...file }: RolloutsFile): Params {
  const params: Params = {};
  for (const name of AS_THEY_ARE) if (file[name] !== undefined) params[name] = file[name];
  if (timeout !== undefined) params.agent_timeout_s = timeout / 1000;
  return params;
}
