import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { collect } from "../archive/collect.ts";
import { UserError } from "../core/errors.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { ArrowFile, type ArrowType } from "../exporters/arrow-file.ts";
import { makeFolders } from "../host/files.ts";
import { literal, makeInstances, makeSeries, withDuckDb } from "./study-tables.ts";

export const TABLES = ["runs", "series", "instances"] as const;
export type TableName = (typeof TABLES)[number];
/** Arrow's file format and Feather (version 2) are the same. */
export const FORMATS = ["csv", "parquet", "arrow", "feather"] as const;
export type TableFormat = (typeof FORMATS)[number];

export interface ExportOptions {
  tables: readonly TableName[];
  format: TableFormat;
  from?: "journal" | "folders";
  /** A file, where it is one table. Default: `aggregate/<table>.<format>` in the study's folder. */
  out?: string;
}

export interface ExportedTable {
  table: TableName;
  path: string;
  rows: number;
}

export interface Exported {
  tables: ExportedTable[];
  /** Files that could not be read, and why. */
  problems: string[];
}

/** Writes tables of a study for notebooks: types are kept in all formats but CSV, values as they are in all. */
export async function exportStudy(studyDir: string, options: ExportOptions): Promise<Exported> {
  const { tables, format, out } = options;
  const pathOf = (table: TableName) =>
    out ?? join(studyDir, dirname(STUDY_FILES.table), `${table}.${format}`);
  return withDuckDb(async (connection, scratch) => {
    const exported: Exported = { tables: [], problems: [] };
    for (const table of tables) {
      const path = pathOf(table);
      makeFolders(dirname(path));
      let isEmpty = false;
      if (table === "runs") await makeRuns(connection, studyDir, { ...options, scratch });
      else if (table === "series") isEmpty = !(await makeSeries(connection, studyDir));
      else {
        const made = await makeInstances(connection, studyDir, scratch);
        exported.problems.push(...made.problems);
        isEmpty = made.rows === 0;
      }
      if (isEmpty && tables.length > 1) continue;
      if (isEmpty) throw noRows(table);
      exported.tables.push({ table, path, rows: await writeTable(connection, table, { path, format }) });
    }
    return exported;
  });
}

/** Gives how many rows it has. */
async function writeTable(
  connection: DuckDBConnection,
  table: TableName,
  { path, format }: { path: string; format: TableFormat },
): Promise<number> {
  if (format === "arrow" || format === "feather") return writeArrow(connection, table, path);
  const how = format === "parquet" ? "FORMAT parquet, COMPRESSION zstd" : "FORMAT csv, HEADER";
  const reader = await connection.runAndReadAll(`COPY ${table} TO ${literal(path)} (${how})`);
  return Number(reader.getRows()[0]![0]);
}

/** DuckDB has no such format built in, so its values are written here, so many rows at a time. */
async function writeArrow(connection: DuckDBConnection, table: TableName, path: string): Promise<number> {
  const described = await connection.runAndReadAll(
    `SELECT column_name, column_type FROM (DESCRIBE ${table})`,
  );
  const columns = (described.getRows() as [string, string][]).map(([name, type]) => ({
    ...{ name, type: ARROW_TYPES.find(([, pattern]) => pattern.test(type))?.[0] ?? "utf8" },
  }));
  const chosen = columns.map(({ name, type }) => `CAST(${quoted(name)} AS ${CASTS[type]})`);
  const result = await connection.stream(`SELECT ${chosen.join(", ")} FROM ${table}`);
  const part = `${path}.part`;
  const handle = openSync(part, "w");
  try {
    const file = new ArrowFile(columns, (bytes) => writeFileSync(handle, bytes));
    let waiting: unknown[][] = columns.map(() => []);
    let count = 0;
    let rows = 0;
    const flush = () => {
      if (count > 0) file.batch(waiting, count);
      waiting = columns.map(() => []);
      rows += count;
      count = 0;
    };
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      for (const [i, values] of waiting.entries()) chunk.appendColumnValues(i, values as DuckDBValue[]);
      count += chunk.rowCount;
      if (count >= BATCH_ROWS) flush();
    }
    flush();
    file.end();
    closeSync(handle);
    renameSync(part, path);
    return rows;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

const BATCH_ROWS = 65_536;

/** What Arrow calls a type of DuckDB's; any other becomes a text. */
const ARROW_TYPES: readonly [ArrowType, RegExp][] = [
  ["int64", /^U?(TINY|SMALL|BIG)?INT(EGER)?$/],
  ["float64", /^(DOUBLE|FLOAT|U?HUGEINT|DECIMAL.*)$/],
  ["bool", /^BOOLEAN$/],
];
const CASTS: Record<ArrowType, string> = {
  ...{ int64: "BIGINT", float64: "DOUBLE", bool: "BOOLEAN", utf8: "VARCHAR" },
};

function noRows(table: TableName): UserError {
  return new UserError(`this study has no ${table}`, {
    remedy: ORIGINS[table],
  });
}

const ORIGINS: Record<TableName, string> = {
  runs: "None has ended yet: assay status",
  series: "A program reports them with assay.series() or a file series.jsonl; see docs/notebooks.md.",
  instances:
    "They come from the trajectories (.traj, .traj.json, trajectory.json) that runs leave in their out folder.",
};

/**
 * The quick way for a million runs: the lines of CSV, and which columns hold texts. What the others hold, all of their
 * cells tell: a guess from some would round what comes later.
 */
async function makeRuns(
  connection: DuckDBConnection,
  studyDir: string,
  { scratch, from }: { scratch: string; from?: "journal" | "folders" },
): Promise<void> {
  const outCsv = join(scratch, "runs.csv");
  const { columns, textColumns } = await collect(studyDir, { outCsv, ...(from && { from }) });
  if (columns.length === 0) throw noRows("runs");
  const typed = columns.map((name) => `${literal(name)}: 'VARCHAR'`).join(", ");
  await connection.run(
    `CREATE TABLE cells AS SELECT * FROM read_csv(${literal(outCsv)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', max_line_size = 100000000, columns = {${typed}})`,
  );
  const isText = new Set(textColumns);
  const others = columns.filter((name) => !isText.has(name));
  const asks = others.flatMap((name) =>
    TESTS.map(([, pattern]) => `bool_and(regexp_full_match(${quoted(name)}, ${literal(pattern)}))`),
  );
  const told =
    asks.length === 0
      ? []
      : (await connection.runAndReadAll(`SELECT ${asks.join(", ")} FROM cells`)).getRows()[0]!;
  const typeOf = (name: string) => {
    const at = others.indexOf(name) * TESTS.length;
    return TESTS.find((_, i) => told[at + i] === true)?.[0] ?? "DOUBLE";
  };
  const chosen = columns.map((name) => {
    const cell = quoted(name);
    if (!isText.has(name)) return `CAST(${cell} AS ${typeOf(name)}) AS ${cell}`;
    return NEVER_UNKNOWN.includes(name) ? `coalesce(${cell}, '') AS ${cell}` : cell;
  });
  await connection.run(`CREATE TABLE runs AS SELECT ${chosen.join(", ")} FROM cells`);
  await connection.run("DROP TABLE cells");
}

/** What all cells of a column look like, and the type that it has then; a column without any is one of numbers. */
const TESTS: readonly [string, string][] = [
  ["BIGINT", "-?[0-9]{1,18}"],
  ["BOOLEAN", "true|false"],
];

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Columns where nothing is a value, not a gap. */
const NEVER_UNKNOWN = ["ablation_flags", "owner", "reason", "notes"];
