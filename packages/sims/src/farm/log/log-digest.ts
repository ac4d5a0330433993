import { createHash } from "node:crypto";
import type { Database } from "../database/open-database.ts";
import { step } from "../world/step.ts";
import type { World } from "../world/world.ts";
import { type LogOptions, logsResources } from "./step-log.ts";
import { appendRows, LOG_TABLE_NAMES, LOG_TABLES, noRows } from "./tables.ts";

/** How many rows each table of a log has, and a SHA-256 over their content in order. */
export type LogDigest = Record<string, { rows: number; hash: string }>;

const ROWS_A_TIME = 1000;

/** What a log of the world's next steps must hold, without any database. */
export function expectDigest(world: World, steps: number, options: LogOptions): LogDigest {
  const tables = LOG_TABLE_NAMES.map((table) => ({ table, rows: 0, hash: createHash("sha256") }));
  for (let i = 0; i < steps; i++) {
    const rows = noRows();
    const summary = step(world);
    appendRows(rows, { world, summary, withResources: logsResources(world.time, options) });
    for (const entry of tables) {
      entry.rows += rows[entry.table].length / LOG_TABLES[entry.table].length;
      entry.hash.update(Float64Array.from(rows[entry.table]));
    }
  }
  return Object.fromEntries(
    tables.map(({ table, rows, hash }) => [table, { rows, hash: hash.digest("hex") }]),
  );
}

/** What a database really holds. */
export function readDigest(db: Database): LogDigest {
  const digest: LogDigest = {};
  for (const table of LOG_TABLE_NAMES) {
    const hash = createHash("sha256");
    const columns = LOG_TABLES[table].length;
    const select = db.prepare(
      `SELECT *, rowid FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_A_TIME}`,
    );
    let [rows, last] = [0, 0];
    for (;;) {
      const some = select.raw().all([last]) as number[][];
      hash.update(Float64Array.from(some.flatMap((row) => row.slice(0, columns))));
      rows += some.length;
      if (some.length < ROWS_A_TIME) break;
      last = some.at(-1)![columns]!;
    }
    digest[table] = { rows, hash: hash.digest("hex") };
  }
  return digest;
}

/** What is wrong with a log, in words; null for nothing. */
export function compareDigests(expected: LogDigest, actual: LogDigest): string | null {
  for (const [table, { rows, hash }] of Object.entries(expected)) {
    const found = actual[table];
    if (found?.rows !== rows) return `${table} has ${found?.rows ?? 0} rows, ${rows} were logged`;
    if (found.hash !== hash) return `${table} has ${rows} rows as logged, but not the same content`;
  }
  return null;
}
