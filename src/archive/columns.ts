import { csvCell } from "../core/csv.ts";
import type { Row } from "./row.ts";

const GROUPS = ["config", "metrics", "runtime"] as const;

/** The columns of a table of runs, in three groups; a group grows as rows bring new names. */
export class Columns {
  readonly #groups = GROUPS.map(() => new Set<string>());

  /** The same columns in another thread. */
  static from(list: Columns["list"]): Columns {
    const columns = new Columns();
    for (const { group, name } of list) columns.#groups[GROUPS.indexOf(group)]!.add(name);
    return columns;
  }

  /** Takes in the names of a row. */
  learn(row: Row): void {
    for (const [g, group] of GROUPS.entries()) for (const name in row[group]) this.#groups[g]!.add(name);
  }

  covers(row: Row): boolean {
    return GROUPS.every((group, g) => {
      for (const name in row[group]) if (!this.#groups[g]!.has(name)) return false;
      return true;
    });
  }

  get list(): { group: (typeof GROUPS)[number]; name: string }[] {
    return GROUPS.flatMap((group, g) => [...this.#groups[g]!].map((name) => ({ group, name })));
  }

  /** Column names; a metric named like a parameter becomes `<name>_metric`, so that both can be told apart. */
  get names(): string[] {
    return this.list.map(({ group, name }) =>
      group === "metrics" && this.#groups[0]!.has(name) ? `${name}_metric` : name,
    );
  }

  get header(): string {
    return `${this.names.map(csvCell).join(",")}\n`;
  }

  /** A row as a line of CSV. */
  line(row: Row): string {
    let text = "";
    for (const [g, group] of GROUPS.entries()) {
      const values = row[group];
      for (const name of this.#groups[g]!) text += `${csvCell(values[name])},`;
    }
    return `${text.slice(0, -1)}\n`;
  }
}
