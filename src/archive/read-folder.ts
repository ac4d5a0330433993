import { parseCsv } from "../core/escape.ts";
import type { Params } from "../core/params.ts";
import type { Metrics, Owner, RunRecord } from "../core/run.ts";
import { anything, fitting, listOf, number, objectWith, optional, tableOf, text } from "../core/shape.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { readJsonIfAny, readText } from "../host/files.ts";
import { kindAt } from "../host/held.ts";
import { type FlagColumn, flagCells, type Row, rowOf } from "./row.ts";

interface Meta {
  run_id: string;
  params: Record<string, unknown>;
  ablation_name?: string;
  ablation_flags?: string[];
  metrics?: Record<string, unknown>;
  labels?: Record<string, string>;
  warnings?: string[];
  task?: string;
  repeat?: number;
  attempt?: number;
  status?: string;
  owner?: string;
  reason?: string;
  exit_code?: number | null;
  start_time_unix_s?: number;
  wall_time_s?: number;
  [fact: string]: unknown;
}

const META = objectWith({
  run_id: text,
  params: tableOf(anything),
  ablation_name: optional(text),
  ablation_flags: optional(listOf(text)),
  metrics: optional(tableOf(anything)),
  labels: optional(tableOf(text)),
  warnings: optional(listOf(text)),
  task: optional(text),
  repeat: optional(number),
  attempt: optional(number),
  owner: optional(text),
  reason: optional(text),
});

const RUNTIME = ["status", "exit_code", "wall_time_s", "start_time_unix_s", "end_time_unix_s"];

/** What a run's folder tells of it. */
export interface FolderRun {
  meta: Meta;
  seed: unknown;
  params: Record<string, unknown>;
  metrics: Record<string, unknown>;
}

/** A run from its folder alone: for folders that another tool wrote, or whose journal is lost. */
export function readRunFolder(dir: string): FolderRun | undefined {
  const meta = fitting<Meta>(readJsonIfAny(`${dir}/${RUN_FILES.meta}`, { isForeign: true }), META);
  if (!meta) return undefined;
  const { seed, ...params } = meta.params;
  const metrics: Record<string, unknown> = { ...meta.metrics };
  if (!isOwn(meta)) addTables(metrics, `${dir}/${RUN_FILES.out}`);
  return { meta, seed, params, metrics };
}

/** Adds what the tables of a run hold. */
function addTables(metrics: Record<string, unknown>, out: string): void {
  if (kindAt(out) !== "a folder") return;
  const summary = textOf(`${out}/summary.csv`);
  if (summary !== undefined) Object.assign(metrics, firstRow(summary));
  const tiers = textOf(`${out}/tiers.csv`);
  if (tiers !== undefined) {
    for (const { provider, tier_id, ...cells } of parseCsv(tiers)) {
      for (const name in cells) metrics[`${provider}_tier${tier_id}_${name}`] = numberOr(cells[name]!);
    }
  }
}

/** Assay itself wrote down all that it read of the run's files. */
function isOwn({ metrics, repeat }: Meta): boolean {
  return metrics !== undefined && repeat !== undefined;
}

/** What of a run's row stands in no folder of a run. */
export interface FolderFacts {
  flags: readonly FlagColumn[];
  program: string;
}

/** The same as a row of runs.csv; a run that Assay did has the columns that the journal gives it. */
export function readFolder(
  dir: string,
  { studyDir, flags, program }: FolderFacts & { studyDir: string },
): Row | undefined {
  const run = readRunFolder(dir);
  if (!run) return undefined;
  if (isOwn(run.meta)) return ownRow(run.meta, rowOf(recordOf(run.meta, program), studyDir, flags));
  const { meta, seed, params, metrics } = run;
  const runtime: Record<string, unknown> = {};
  for (const name of RUNTIME) if (meta[name] !== undefined) runtime[name] = meta[name];
  runtime.run_dir = dir;
  return {
    id: { run_id: meta.run_id },
    params,
    place: { ...(seed !== undefined && { seed }), ablation_name: meta.ablation_name ?? "" },
    flags: flagCells({ flags: meta.ablation_flags ?? [], params: {} }, flags),
    metrics,
    runtime,
  };
}

/** Times as they were written: sums of rounded ones would be others. */
function ownRow(meta: Meta, row: Row): Row {
  const written = RUNTIME.filter((name) => name !== "exit_code" && meta[name] !== undefined);
  return {
    ...row,
    runtime: { ...row.runtime, ...Object.fromEntries(written.map((name) => [name, meta[name]])) },
  };
}

/** What the journal had of a run that Assay did. */
function recordOf({ run_id: id, params, ...meta }: Meta, program: string): RunRecord {
  const { seed, ...own } = params as Params;
  const { status, owner, reason, exit_code, start_time_unix_s = 0, wall_time_s = 0 } = meta;
  return {
    ...{ id, params: own, seed: seed as number, task: meta.task ?? null, repeat: meta.repeat ?? 0 },
    ...{ variant: meta.ablation_name ?? "", flags: meta.ablation_flags ?? [], program },
    attempt: meta.attempt ?? 1,
    outcome: {
      status: status as RunRecord["outcome"]["status"],
      ...(owner !== undefined && { owner: owner as Owner }),
      ...(reason !== undefined && { reason }),
      ...(exit_code !== null && exit_code !== undefined && { exitCode: exit_code }),
    },
    metrics: meta.metrics as Metrics,
    ...(meta.labels && { labels: meta.labels }),
    ...(meta.warnings && { warnings: meta.warnings }),
    startedAtMs: start_time_unix_s * 1000,
    wallMs: wall_time_s * 1000,
  };
}

function firstRow(text: string): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(parseCsv(text)[0] ?? {})) row[name] = numberOr(cell);
  return row;
}

function numberOr(cell: string): number | string {
  const number = Number(cell);
  return cell.trim() !== "" && Number.isFinite(number) ? number : cell;
}

function textOf(path: string): string | undefined {
  try {
    return readText(path, { isForeign: true });
  } catch {
    return undefined;
  }
}
