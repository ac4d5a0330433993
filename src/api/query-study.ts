import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { latestRecords, readStudyFile } from "../archive/read-records.ts";
import { flagNames, rowOf } from "../archive/row.ts";
import { errorText, UserError } from "../core/errors.ts";

export interface QueryResult {
  columns: string[];
  rows: Record<string, unknown>[];
}

/**
 * Asks a study's results in SQL. Tables: `runs` (a row a run), `series` (a row a step, with run_id) and `files`
 * (a row a file of a run). DuckDB runs in memory and may read nothing but these.
 */
export async function queryStudy(studyDir: string, sql: string): Promise<QueryResult> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const scratch = mkdtempSync(join(tmpdir(), "assay-query-"));
  try {
    await connection.run(
      `CREATE TABLE runs AS SELECT * FROM read_json(${literal(writeRuns(studyDir, scratch))}, sample_size = -1, maximum_object_size = 100000000)`,
    );
    const series = `${studyDir}/runs/*/series.jsonl`;
    await connection.run(
      (await anyMatch(connection, series))
        ? `CREATE TABLE series AS SELECT split_part(filename, '/', -2) AS run_id, * EXCLUDE (filename) FROM read_json(${literal(series)}, format = 'newline_delimited', filename = true, union_by_name = true)`
        : "CREATE TABLE series (run_id VARCHAR, step DOUBLE)",
    );
    const files = literal(`${studyDir}/runs/*/out/**`);
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
    throw new UserError(`the query failed: ${errorText(error).split("\n\n")[0]}`, {
      remedy: "The tables are runs, series and files; try: SELECT * FROM runs LIMIT 1.",
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(scratch, { recursive: true, force: true });
  }
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

function writeRuns(studyDir: string, scratch: string): string {
  const path = join(scratch, "runs.jsonl");
  const flags = flagNames(readStudyFile(studyDir)?.study.variants ?? []);
  writeFileSync(path, "");
  let pending = "";
  for (const record of latestRecords(studyDir)) {
    const { config, metrics, runtime } = rowOf(record, studyDir, flags);
    pending += `${JSON.stringify({ ...config, ...metrics, ...runtime })}\n`;
    if (pending.length > 1 << 22) {
      appendFileSync(path, pending);
      pending = "";
    }
  }
  appendFileSync(path, pending);
  if (!existsSync(path)) throw new UserError("there are no runs yet");
  return path;
}

async function anyMatch(
  connection: { runAndReadAll(sql: string): Promise<{ currentRowCount: number }> },
  pattern: string,
): Promise<boolean> {
  return (
    (await connection.runAndReadAll(`SELECT 1 FROM glob(${literal(pattern)}) LIMIT 1`)).currentRowCount > 0
  );
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
