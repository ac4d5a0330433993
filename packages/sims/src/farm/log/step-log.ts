import { RowInserter } from "../database/insert-rows.ts";
import type { Database } from "../database/open-database.ts";
import type { StepSummary } from "../world/step.ts";
import type { World } from "../world/world.ts";
import { appendRows, LOG_TABLE_NAMES, LOG_TABLES, type LogRows, type LogTable, noRows } from "./tables.ts";

export interface LogOptions {
  /** Steps that are written in one transaction. */
  flushEvery: number;
  /** Every so many steps all cells are logged too; 0 is never. */
  resourcesEvery: number;
}

/** Writes every step of a world into an empty database. Rows are gathered, and written some steps at a time. */
export class StepLog {
  readonly #db: Database;
  readonly #options: LogOptions;
  readonly #inserters: Record<LogTable, RowInserter>;
  readonly #rows: LogRows = noRows();
  #steps = 0;

  constructor(db: Database, options: LogOptions) {
    this.#db = db;
    this.#options = options;
    for (const table of LOG_TABLE_NAMES) {
      db.exec(`CREATE TABLE ${table} (${LOG_TABLES[table].map((name) => `"${name}" INTEGER`).join(", ")})`);
    }
    const inserters = LOG_TABLE_NAMES.map((table) => [
      table,
      new RowInserter(db, table, LOG_TABLES[table].length),
    ]);
    this.#inserters = Object.fromEntries(inserters);
  }

  record(world: World, summary: StepSummary): void {
    const withResources = logsResources(world.time, this.#options);
    appendRows(this.#rows, { world, summary, withResources });
    if (++this.#steps % this.#options.flushEvery === 0) this.flush();
  }

  /** Writes what is not yet written; the last call of a log. */
  flush(): void {
    this.#db.exec("BEGIN");
    try {
      for (const table of LOG_TABLE_NAMES) {
        this.#inserters[table].insert(this.#rows[table]);
        this.#rows[table].length = 0;
      }
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}

export function logsResources(step: number, { resourcesEvery }: LogOptions): boolean {
  return resourcesEvery > 0 && step % resourcesEvery === 0;
}
