import { createHash } from "node:crypto";
import { type Database, RowInserter } from "./database/database.ts";
import { type StepSummary, step } from "./world/step.ts";
import type { World } from "./world/world.ts";

/** The tables of a log and their columns, all of them whole numbers. */
const LOG_TABLES = {
  agent_states: ["step", "id", "x", "y", "energy", "age", "action", "gathered"],
  births: ["step", "id", "parent"],
  deaths: ["step", "id", "cause"],
  resources: ["step", "cell", "amount"],
  steps: [
    "step",
    "population",
    "births",
    "starved",
    "aged",
    "resources",
    "energy",
    "regrown",
    "gathered",
    "spent",
    "lost",
  ],
} as const;

type LogTable = keyof typeof LOG_TABLES;
const LOG_TABLE_NAMES = Object.keys(LOG_TABLES) as LogTable[];

/** The rows of one or several steps, each table's one after the other in a flat list. */
type LogRows = Record<LogTable, number[]>;

function noRows(): LogRows {
  return { agent_states: [], births: [], deaths: [], resources: [], steps: [] };
}

/** Appends all rows of the step that the world has just done; `withResources`, also every cell that holds some. */
function appendRows(
  rows: LogRows,
  { world, summary, withResources }: { world: World; summary: StepSummary; withResources: boolean },
): void {
  const { time, count, id, x, y, energy, age, action, gathered, births, deaths, resources } = world;
  const states = rows.agent_states;
  for (let i = 0; i < count; i++) {
    states.push(time, id[i]!, x[i]!, y[i]!, energy[i]!, age[i]!, action[i]!, gathered[i]!);
  }
  for (const [table, events] of [[rows.births, births] as const, [rows.deaths, deaths] as const]) {
    for (let i = 0; i < events.count; i++) table.push(time, events.id[i]!, events.detail[i]!);
  }
  for (const column of LOG_TABLES.steps) rows.steps.push(summary[column]);
  if (!withResources) return;
  for (let cell = 0; cell < resources.length; cell++) {
    if (resources[cell]! > 0) rows.resources.push(time, cell, resources[cell]!);
  }
}

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

function logsResources(step: number, { resourcesEvery }: LogOptions): boolean {
  return resourcesEvery > 0 && step % resourcesEvery === 0;
}

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
