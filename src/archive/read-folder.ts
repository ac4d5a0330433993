import { parseCsv } from "../core/csv.ts";
import { anything, fitting, listOf, objectWith, optional, tableOf, text } from "../core/shape.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { readJsonIfAny, readText } from "../host/files.ts";
import { kindAt } from "../host/held.ts";
import type { Row } from "./row.ts";

interface Meta {
  run_id: string;
  params: Record<string, unknown>;
  ablation_name?: string;
  ablation_flags?: string[];
  metrics?: Record<string, unknown>;
  [fact: string]: unknown;
}

const META = objectWith({
  run_id: text,
  params: tableOf(anything),
  ablation_name: optional(text),
  ablation_flags: optional(listOf(text)),
  metrics: optional(tableOf(anything)),
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
  const out = `${dir}/${RUN_FILES.out}`;
  const read = (name: string) => (kindAt(out) === "a folder" ? textOf(`${out}/${name}`) : undefined);
  const summary = read("summary.csv");
  if (summary !== undefined) Object.assign(metrics, firstRow(summary));
  const tiers = read("tiers.csv");
  if (tiers !== undefined) {
    for (const { provider, tier_id, ...cells } of parseCsv(tiers)) {
      for (const name in cells) metrics[`${provider}_tier${tier_id}_${name}`] = numberOr(cells[name]!);
    }
  }
  return { meta, seed, params, metrics };
}

/** The same as a row of runs.csv. */
export function readFolder(dir: string): Row | undefined {
  const run = readRunFolder(dir);
  if (!run) return undefined;
  const { meta, seed, params, metrics } = run;
  const runtime: Record<string, unknown> = {};
  for (const name of RUNTIME) if (meta[name] !== undefined) runtime[name] = meta[name];
  runtime.run_dir = dir;
  return {
    id: { run_id: meta.run_id },
    params,
    place: { ...(seed !== undefined && { seed }), ablation_name: meta.ablation_name ?? "" },
    flags: { ablation_flags: meta.ablation_flags?.join(" ") ?? "" },
    metrics,
    runtime,
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
