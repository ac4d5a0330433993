import type { ColumnRole, RunRow, RunTable } from "../../src/reporters/study-view.ts";
import { NumberColumn } from "./number-column.ts";
import { TextColumn } from "./text-column.ts";

export type Column = NumberColumn | TextColumn;

/** The runs by column, in typed arrays that grow: a hundred thousand rows sort in a moment, and live rows join. */
export class RunStore {
  readonly columns: Column[];
  count: number;
  #rowById: Map<string, number> | undefined;

  constructor({ count, columns }: RunTable) {
    this.count = count;
    this.columns = columns.map((column) =>
      column.kind === "number" ? new NumberColumn(column, column.values) : new TextColumn(column, column),
    );
  }

  column(name: string): Column | undefined {
    return this.columns.find((column) => column.name === name);
  }

  /** The column that names the runs. */
  get ids(): Column | undefined {
    return this.columns.find(({ role }) => role === "id");
  }

  idOf(row: number): string {
    return this.ids?.text(row) ?? String(row);
  }

  rowOf(id: string): number | undefined {
    if (!this.#rowById) {
      this.#rowById = new Map();
      for (let row = 0; row < this.count; row++) this.#rowById.set(this.idOf(row), row);
    }
    return this.#rowById.get(id);
  }

  /** Adds rows that the event stream told; one of a run that is known already takes its place. */
  put(rows: readonly RunRow[]): void {
    const ids = this.ids;
    for (const cells of rows) {
      const id = ids ? String(cells[ids.name] ?? "") : "";
      const known = ids ? this.rowOf(id) : undefined;
      const row = known ?? this.count++;
      this.#rowById?.set(id, row);
      for (const name of Object.keys(cells)) if (!this.#ownColumn(name)) this.#addColumn(name, cells[name]!);
      // What people said of a run stays when the run is told again.
      for (const column of this.columns)
        if (column.role !== "label") column.set(row, cells[column.name] ?? null);
    }
  }

  #ownColumn(name: string): Column | undefined {
    return this.columns.find((column) => column.name === name && column.role !== "label");
  }

  #addColumn(name: string, value: string | number | null): void {
    if (value === null) return;
    const about = { name, role: "metric" as ColumnRole, unit: null };
    this.columns.push(
      typeof value === "number"
        ? new NumberColumn(about, [])
        : new TextColumn(about, { words: [], codes: [] }),
    );
  }
}
