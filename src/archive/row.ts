import type { RunRecord } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { runDir } from "../core/study-folder.ts";

/** The parts of a row, in the order of their columns: which run, what was asked, what came out, how it went. */
export const GROUPS = ["id", "params", "place", "flags", "metrics", "runtime"] as const;
export type Group = (typeof GROUPS)[number];

/** A run as one row of a table. A name in one group says nothing about the same name in another. */
export type Row = Record<Group, Record<string, unknown>>;

/** A bare flag of a variant: a column of its own, true or false. */
export interface FlagColumn {
  name: string;
  /** Whether the program takes it as a parameter, too: then that is this column. */
  isParam: boolean;
}

export function rowOf(record: RunRecord, studyDir: string, flags: readonly FlagColumn[] = []): Row {
  const { id, seed, task, repeat, variant } = record;
  return {
    id: { run_id: id },
    params: ownParams(record.params, flags),
    place: { seed, ...(task !== null && { task }), repeat, ablation_name: variant },
    flags: flagCells(record, flags),
    metrics: record.labels ? { ...record.labels, ...record.metrics } : record.metrics,
    runtime: runtimeCells(record, studyDir),
  };
}

function ownParams(params: RunRecord["params"], flags: readonly FlagColumn[]): Record<string, unknown> {
  const moved = flags.filter(({ name, isParam }) => isParam && name in params).map(({ name }) => name);
  if (moved.length === 0) return params;
  return Object.fromEntries(Object.entries(params).filter(([name]) => !moved.includes(name)));
}

export function flagCells(
  { flags: own, params }: Pick<RunRecord, "flags" | "params">,
  flags: readonly FlagColumn[],
): Record<string, unknown> {
  const cells: Record<string, unknown> = { ablation_flags: own.join(" ") };
  for (const { name, isParam } of flags)
    cells[name] = isParam && name in params ? params[name] : own.includes(`--${name}`);
  return cells;
}

type Timed = Pick<
  RunRecord,
  "id" | "outcome" | "warnings" | "attempt" | "wallMs" | "startedAtMs" | "program"
>;

export function runtimeCells(
  { id, outcome, warnings = [], attempt, wallMs, startedAtMs, program }: Timed,
  studyDir: string,
): Record<string, unknown> {
  return {
    status: outcome.status,
    owner: outcome.owner ?? "",
    reason: outcome.reason ?? "",
    // Not a list where a line's shape is learnt: then it stands for one.
    notes: Array.isArray(warnings) ? notesText(warnings) : warnings,
    attempt,
    exit_code: outcome.exitCode ?? (outcome.status === "ok" ? 0 : null),
    wall_time_s: wallMs / 1000,
    run_dir: runDir(studyDir, id),
    start_time_unix_s: startedAtMs / 1000,
    end_time_unix_s: (startedAtMs + wallMs) / 1000,
    program,
  };
}

/** What a run has to say of its own result, in one cell. */
export function notesText(warnings: readonly string[]): string {
  return warnings.join("; ");
}

/** What Assay itself has to say of a run, in a table that has all of it or a part: nobody else's column is called so. */
export const OWN_COLUMNS: readonly string[] = [
  "run_id",
  "seed",
  "task",
  "repeat",
  "ablation_name",
  "ablation_flags",
  "status",
  "owner",
  "reason",
  "notes",
  "attempt",
  "exit_code",
  "wall_time_s",
  "run_dir",
  "start_time_unix_s",
  "end_time_unix_s",
  "program",
];

/** The bare flags (`--disable_hedging`) that a study's program has, and those of its variants. */
export function flagColumns(study: Pick<Study, "variants" | "programFlags"> | undefined): FlagColumn[] {
  const { variants = [], programFlags = [] } = study ?? {};
  const bare = variants.flatMap(({ flags }) => flags).filter((flag) => /^--[\w-]+$/.test(flag));
  const names = new Set([...programFlags, ...bare.map((flag) => flag.slice(2))]);
  return [...names].map((name) => ({
    name,
    isParam: programFlags.includes(name) || variants.some(({ params }) => typeof params[name] === "boolean"),
  }));
}
