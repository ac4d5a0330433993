import type { RunRecord } from "../core/run.ts";

/** A run as one row of a table: what was asked, what came out, how it went. */
export interface Row {
  config: Record<string, unknown>;
  metrics: Record<string, unknown>;
  runtime: Record<string, unknown>;
}

/** `flags` are the names of all variants' bare flags: each is a column of its own, true or false. */
export function rowOf(record: RunRecord, studyDir: string, flags: readonly string[] = []): Row {
  const config: Record<string, unknown> = { run_id: record.id };
  for (const name in record.params) config[name] = record.params[name];
  config.seed = record.seed;
  if (record.task !== null) config.task = record.task;
  config.repeat = record.repeat;
  config.ablation_name = record.variant;
  return {
    config: Object.assign(config, flagCells(record, flags)),
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

type Timed = Pick<RunRecord, "id" | "outcome" | "attempt" | "wallMs" | "startedAtMs" | "program">;

export function runtimeCells(
  { id, outcome, attempt, wallMs, startedAtMs, program }: Timed,
  studyDir: string,
): Record<string, unknown> {
  return {
    status: outcome.status,
    owner: outcome.owner ?? "",
    reason: outcome.reason ?? "",
    attempt,
    exit_code: outcome.exitCode ?? (outcome.status === "ok" ? 0 : ""),
    wall_time_s: wallMs / 1000,
    run_dir: `${studyDir}/runs/${id}`,
    start_time_unix_s: startedAtMs / 1000,
    end_time_unix_s: (startedAtMs + wallMs) / 1000,
    program,
  };
}

/** The bare flags (`--disable_hedging`) of a study's variants. */
export function flagNames(variants: readonly { flags: string[] }[]): string[] {
  const bare = variants.flatMap(({ flags }) => flags).filter((flag) => /^--[\w-]+$/.test(flag));
  return [...new Set(bare.map((flag) => flag.slice(2)))];
}
