import type { Database } from "./open-database.ts";

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
