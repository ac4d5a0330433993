import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ByteSink } from "../archive/byte-sink.ts";
import { readNotes } from "../archive/notes.ts";
import { currentRecords } from "../archive/read-records.ts";
import { instancesIn } from "../archive/trajectories/instances.ts";
import type { InstanceRow } from "../core/instance.ts";
import { standingNotes } from "../core/note.ts";
import { RUN_FILES, runDir, STUDY_FILES } from "../core/study-folder.ts";
import { kindAt } from "../host/held.ts";

/** A DuckDB in memory, with a folder for what it reads; both are gone at the end. */
export async function withDuckDb<T>(
  work: (connection: DuckDBConnection, scratch: string) => Promise<T>,
): Promise<T> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const scratch = mkdtempSync(join(tmpdir(), "assay-tables-"));
  try {
    return await work(connection, scratch);
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** `series`: one row per step of a run, with `run_id`. False where no run reported any. */
export async function makeSeries(connection: DuckDBConnection, studyDir: string): Promise<boolean> {
  const pattern = `${studyDir}/${STUDY_FILES.runs}/*/${RUN_FILES.series}`;
  const { currentRowCount } = await connection.runAndReadAll(
    `SELECT 1 FROM glob(${literal(pattern)}) LIMIT 1`,
  );
  await connection.run(
    currentRowCount > 0
      ? `CREATE TABLE series AS SELECT split_part(filename, '/', -2) AS run_id, COLUMNS(name -> name NOT IN ('filename', '_axes')) FROM read_json(${literal(pattern)}, format = 'newline_delimited', filename = true, union_by_name = true, ignore_errors = true)`
      : "CREATE TABLE series (run_id VARCHAR, step DOUBLE)",
  );
  return currentRowCount > 0;
}

/** `instances`: one row per instance that a run's agent left a trajectory of. Gives what could not be read. */
export async function makeInstances(
  connection: DuckDBConnection,
  studyDir: string,
  scratch: string,
): Promise<{ rows: number; problems: string[] }> {
  const path = join(scratch, "instances.jsonl");
  const file = openSync(path, "w");
  const sink = new ByteSink(file);
  const problems: string[] = [];
  let rows = 0;
  for (const { id, seed } of currentRecords(studyDir)) {
    const out = `${runDir(studyDir, id)}/${RUN_FILES.out}`;
    if (kindAt(out) !== "a folder") continue;
    const found = instancesIn(out);
    problems.push(...found.problems.map((problem) => `${id}: ${problem}`));
    for (const row of found.rows) {
      sink.text(`${JSON.stringify({ run_id: id, seed, ...row })}\n`);
      rows++;
    }
  }
  sink.flush();
  closeSync(file);
  const columns = Object.entries(INSTANCE_COLUMNS)
    .map(([name, type]) => `${name}: '${type}'`)
    .join(", ");
  await connection.run(
    `CREATE TABLE instances AS SELECT * FROM read_json(${literal(path)}, format = 'newline_delimited', columns = {${columns}}, maximum_object_size = 100000000)`,
  );
  return { rows, problems };
}

/** `notes`: one row for what each person says of each thing; without a run and a task it is the study. */
export async function makeNotes(
  connection: DuckDBConnection,
  studyDir: string,
  scratch: string,
): Promise<void> {
  const path = join(scratch, "said.jsonl");
  const lines = standingNotes(readNotes(studyDir)).map(({ run, file, turn, task, by, at, ...said }) =>
    JSON.stringify({ run_id: run, file, turn, task, ...said, by, at }),
  );
  writeFileSync(path, `${lines.join("\n")}\n`);
  await connection.run(
    `CREATE TABLE notes AS SELECT * FROM read_json(${literal(path)}, format = 'newline_delimited', columns = {run_id: 'VARCHAR', file: 'VARCHAR', turn: 'BIGINT', task: 'VARCHAR', verdict: 'VARCHAR', tags: 'VARCHAR[]', note: 'VARCHAR', "by": 'VARCHAR', "at": 'TIMESTAMP'})`,
  );
}

const count = "BIGINT";
const amount = "DOUBLE";
/** Fixed, so that a column that is nowhere known has its type all the same. */
const INSTANCE_COLUMNS: Record<"run_id" | "seed" | keyof InstanceRow, string> = {
  run_id: "VARCHAR",
  seed: count,
  instance_id: "VARCHAR",
  exit_status: "VARCHAR",
  exit_category: "VARCHAR",
  submitted: "BOOLEAN",
  solved: "BOOLEAN",
  n_turns: count,
  total_cost: amount,
  agent_cost: amount,
  summary_cost: amount,
  rloop_cost: amount,
  agent_api_calls: count,
  summary_api_calls: count,
  rloop_api_calls: count,
  raw_input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  internal_reasoning_tokens: count,
  summary_raw_input_tokens: count,
  summary_cached_input_tokens: count,
  summary_output_tokens: count,
  cache_hit_rate: amount,
  review_score: amount,
};

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
