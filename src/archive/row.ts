import type { RunRecord } from "../core/run.ts";
import { runDir } from "../core/study-folder.ts";

/** The parts of a row, in the order of their columns: which run, what was asked, what came out, how it went. */
export const GROUPS = ["id", "params", "place", "flags", "metrics", "runtime"] as const;
export type Group = (typeof GROUPS)[number];

/** A run as one row of a table. A name in one group says nothing about the same name in another. */
export type Row = Record<Group, Record<string, unknown>>;

/** `flags` are the names of all variants' bare flags: each is a column of its own, true or false. */
export function rowOf(record: RunRecord, studyDir: string, flags: readonly string[] = []): Row {
  const { id, seed, task, repeat, variant } = record;
  return {
    id: { run_id: id },
    params: record.params,
    place: { seed, ...(task !== null && { task }), repeat, ablation_name: variant },
    flags: flagCells(record, flags),
    metrics: record.labels ? { ...record.labels, ...record.metrics } : record.metrics,
    runtime: runtimeCells(record, studyDir),
  };
}

export function flagCells(
  { flags: own }: Pick<RunRecord, "flags">,
  flags: readonly string[],
): Record<string, unknown> {
  const cells: Record<string, unknown> = { ablation_flags: own.join(" ") };
  for (const flag of flags) cells[flag] = own.includes(`--${flag}`);
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
    exit_code: outcome.exitCode ?? (outcome.status === "ok" ? 0 : ""),
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

/** The bare flags (`--disable_hedging`) of a study's variants. */
export function flagNames(variants: readonly { flags: string[] }[]): string[] {
  const bare = variants.flatMap(({ flags }) => flags).filter((flag) => /^--[\w-]+$/.test(flag));
  return [...new Set(bare.map((flag) => flag.slice(2)))];
}
