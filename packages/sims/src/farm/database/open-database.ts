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
