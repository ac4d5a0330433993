import type { Params } from "../../core/params.ts";
import type { DeclaredStudy } from "../../core/study.ts";
import { checkShape } from "../check-shape.ts";
import type { Dialect } from "../dialect.ts";
import { stem } from "../native.ts";
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
    const spec = checkShape(rolloutsSchema, file);
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
    if (spec.max_cost !== undefined) study.limits.costUsd = spec.max_cost;
    return study;
  },
  paths: { param: (name) => [KEYS[name] ?? name] },
};

/** What a file calls the target's parameters, where that differs. */
const KEYS: Record<string, string> = { env: "environment_variables", agent_timeout_s: "timeout" };

function sharedParams({
  agent_options,
  sandbox,
  network,
  judge,
  judge_repeats,
  timeout,
  ...file
}: RolloutsFile): Params {
  const params: Params = {};
  for (const name of ["max_calls", "max_tokens", "max_cost_usd", "prices"] as const)
    if (file[name] !== undefined) params[name] = file[name];
  if (agent_options !== undefined) params.agent_options = agent_options;
  if (sandbox !== undefined) params.sandbox = sandbox;
  if (network !== undefined) params.network = network;
  if (judge !== undefined) params.judge = judge;
  if (judge_repeats !== undefined) params.judge_repeats = judge_repeats;
  if (timeout !== undefined) params.agent_timeout_s = timeout / 1000;
  return params;
}
