import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import type { RolloutsFile } from "./schema.ts";

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
export function readCells({ tasks, agent }: RolloutsFile): Cells {
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
