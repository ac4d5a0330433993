import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MachineError } from "assay/plugin";
import type { Database } from "libsql";

export type { Database };

type OpenDatabase = (path: string) => Database;

/** SQLite, loaded when a target first needs it: the native module is large. */
export async function loadSqlite(): Promise<OpenDatabase> {
  try {
    const { default: Sqlite } = await import("libsql");
    return (path) => new Sqlite(path);
  } catch (error) {
    throw new MachineError(
      `SQLite could not be loaded (package libsql: ${(error as Error).message}). Install Assay again on this machine: npm install`,
    );
  }
}

/** One value of one row: libsql's `get` adds a field of its own, so rows are read as lists. */
export function readValue(db: Database, sql: string, ...values: unknown[]): unknown {
  const [row] = db.prepare(sql).raw().all(values) as unknown[][];
  return row?.[0];
}

/** Most rows that one statement inserts: past some dozens it is hardly faster. */
const ROWS_A_STATEMENT = 50;

/** Inserts rows that stand one after the other in a flat list. Several rows a statement save most calls. */
export class RowInserter {
  readonly #columns: number;
  readonly #many;
  readonly #one;
  readonly #bound: unknown[];

  constructor(db: Database, table: string, columns: number) {
    const row = `(${Array(columns).fill("?").join(",")})`;
    this.#columns = columns;
    this.#one = db.prepare(`INSERT INTO ${table} VALUES ${row}`);
    this.#many = db.prepare(`INSERT INTO ${table} VALUES ${Array(ROWS_A_STATEMENT).fill(row).join(",")}`);
    this.#bound = new Array(columns * ROWS_A_STATEMENT);
  }

  insert(values: readonly unknown[]): void {
    const bound = this.#bound;
    let from = 0;
    for (; from + bound.length <= values.length; from += bound.length) {
      for (let i = 0; i < bound.length; i++) bound[i] = values[from + i];
      this.#many.run(bound);
    }
    for (; from < values.length; from += this.#columns)
      this.#one.run(values.slice(from, from + this.#columns));
  }
}

/** A folder for databases that lasts from setup to teardown, on the disk where the run's own files are. */
export class WorkFolder {
  readonly path: string;
  #files = 0;

  constructor(outDir: string | null) {
    const parent = outDir ?? tmpdir();
    mkdirSync(parent, { recursive: true });
    this.path = mkdtempSync(join(parent, "assay-farm-"));
  }

  /** A path that no file has yet. */
  newFile(): string {
    return join(this.path, `${++this.#files}.db`);
  }

  /** Removes a database and the files that SQLite keeps beside it. */
  removeFile(path: string): void {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Waits until the file is on the disk, so that every way to write one ends as durable as the others. */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What a database takes on the disk, with the log that is not yet merged into it. */
export function databaseBytes(path: string): number {
  return ["", "-wal"].reduce(
    (sum, suffix) => sum + (existsSync(path + suffix) ? statSync(path + suffix).size : 0),
    0,
  );
}
