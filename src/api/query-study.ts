import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ByteSink } from "../archive/byte-sink.ts";
import { Columns } from "../archive/columns.ts";
import { currentRecords, readStudyFile } from "../archive/read-records.ts";
import { flagColumns, rowOf } from "../archive/row.ts";
import { errorText, isFileError, MachineError, UserError } from "../core/errors.ts";
import { RUN_FILES, STUDY_FILES } from "../core/study-folder.ts";
import { literal, makeInstances, makeNotes, makeSeries, withDuckDb } from "./study-tables.ts";

export interface QueryResult {
  columns: string[];
  rows: Record<string, unknown>[];
}

/**
 * Asks a study's results in SQL. Tables: `runs` (one row per run), `series` (one row per step, with run_id), `instances`
 * (one row per trajectory that a run left), `notes` (what each person says of a run, a turn, a task or the study) and
 * `files` (one row per file of a run). DuckDB runs in memory and may read nothing but these.
 */
export async function queryStudy(studyDir: string, sql: string): Promise<QueryResult> {
  return withDuckDb(async (connection, scratch) => {
    try {
      await connection.run(
        `CREATE TABLE runs AS SELECT * FROM read_json(${literal(writeRuns(studyDir, scratch))}, sample_size = -1, maximum_object_size = 100000000)`,
      );
      await nameVariants(connection, sql);
      await makeSeries(connection, studyDir);
      // Trajectories are large: they are read where they are asked for.
      if (/\binstances\b/i.test(sql)) await makeInstances(connection, studyDir, scratch);
      await makeNotes(connection, studyDir, scratch);
      const files = literal(`${studyDir}/${STUDY_FILES.runs}/*/${RUN_FILES.out}/**`);
      await connection.run(
        `CREATE TABLE files AS SELECT split_part(substr(file, ${studyDir.length + 2}), '/', 2) AS run_id, regexp_extract(file, '/out/(.*)$', 1) AS path, file FROM glob(${files})`,
      );
      await connection.run("SET enable_external_access = false");
      const reader = await connection.runAndReadAll(sql);
      const columns = reader.deduplicatedColumnNames();
      const rows = reader.getRowObjectsJson() as Record<string, unknown>[];
      restoreNumbers(
        rows,
        columns.filter((_, i) => /^(U?BIGINT|U?HUGEINT|DECIMAL)/.test(String(reader.columnType(i)))),
      );
      return { columns, rows };
    } catch (error) {
      if (error instanceof UserError || error instanceof MachineError || isFileError(error)) throw error;
      throw new UserError(`the query failed: ${errorText(error).split("\n\n")[0]}`, {
        remedy: "The tables are runs, series, instances, notes and files; try: SELECT * FROM runs LIMIT 1.",
      });
    }
  });
}

/** runs.csv has the name that its readers know; SQL has ours, and theirs too where the query asks for it. */
async function nameVariants(connection: DuckDBConnection, sql: string): Promise<void> {
  const columns = await connection.runAndReadAll("SELECT column_name FROM (DESCRIBE runs)");
  const names = columns.getRows().map(([name]) => String(name).toLowerCase());
  if (!names.includes("ablation_name") || names.includes("variant")) return;
  await connection.run("ALTER TABLE runs RENAME ablation_name TO variant");
  if (!/\bablation_name\b/i.test(sql)) return;
  await connection.run("ALTER TABLE runs ADD COLUMN ablation_name VARCHAR");
  await connection.run("UPDATE runs SET ablation_name = variant");
}

/** DuckDB gives wide numbers as text; those that fit become numbers again. */
function restoreNumbers(rows: Record<string, unknown>[], columns: string[]): void {
  for (const row of rows) {
    for (const column of columns) {
      const number = Number(row[column]);
      if (typeof row[column] === "string" && Math.abs(number) <= Number.MAX_SAFE_INTEGER)
        row[column] = number;
    }
  }
}

/** The runs as JSON lines under the column names of runs.csv. */
function writeRuns(studyDir: string, scratch: string): string {
  const records = currentRecords(studyDir);
  if (records.length === 0)
    throw new UserError("there are no runs yet", { remedy: "`assay status` shows how far the study is." });
  const flags = flagColumns(readStudyFile(studyDir)?.study);
  const columns = new Columns();
  for (const record of records) columns.learn(rowOf(record, studyDir, flags));
  const { list, names } = columns;
  const path = join(scratch, "runs.jsonl");
  const file = openSync(path, "w");
  const sink = new ByteSink(file);
  for (const record of records) {
    const row = rowOf(record, studyDir, flags);
    sink.text(
      `${JSON.stringify(Object.fromEntries(list.map(({ group, name }, i) => [names[i], row[group][name]])))}\n`,
    );
  }
  sink.flush();
  closeSync(file);
  return path;
}
