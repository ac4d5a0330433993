import { csvCell } from "../core/csv.ts";
import type { Row } from "./row.ts";

const GROUPS = ["config", "metrics", "runtime"] as const;

/**
 * Builds a CSV from rows whose columns come to light one by one. Each row is kept as finished text, one piece
 * a group of columns; columns that a later row brings are empty cells at the end of the pieces before it.
 */
export class CsvTable {
  readonly #columns = GROUPS.map(() => [] as string[]);
  readonly #indexes = GROUPS.map(() => new Map<string, number>());
  readonly #rows: { pieces: string[]; widths: number[] }[] = [];

  get length(): number {
    return this.#rows.length;
  }

  /** Adds a row, or replaces the one at `index`. Gives its index. */
  put(row: Row, index = this.#rows.length): number {
    const pieces: string[] = [];
    const widths: number[] = [];
    for (let g = 0; g < GROUPS.length; g++) {
      const values = row[GROUPS[g]!];
      pieces.push(this.#piece(g, values));
      widths.push(this.#columns[g]!.length);
    }
    this.#rows[index] = { pieces, widths };
    return index;
  }

  *chunks(): Generator<string> {
    yield `${this.#columns.flat().map(csvCell).join(",")}\n`;
    let chunk = "";
    for (const { pieces, widths } of this.#rows) {
      const cells = pieces.map((piece, g) => {
        const missing = this.#columns[g]!.length - widths[g]!;
        return missing === 0 ? piece : piece + ",".repeat(widths[g] === 0 ? missing - 1 : missing);
      });
      chunk += `${cells.filter((_, g) => this.#columns[g]!.length > 0).join(",")}\n`;
      if (chunk.length > 1 << 20) {
        yield chunk;
        chunk = "";
      }
    }
    yield chunk;
  }

  /** Most rows have the columns of the row before in the same order: then no look-up is needed. */
  #piece(group: number, values: Record<string, unknown>): string {
    const columns = this.#columns[group]!;
    let text = "";
    let position = 0;
    for (const name in values) {
      if (columns[position] !== name) return this.#looseRow(group, values);
      text += position === 0 ? csvCell(values[name]) : `,${csvCell(values[name])}`;
      position++;
    }
    return position === columns.length ? text : text + ",".repeat(columns.length - Math.max(position, 1));
  }

  #looseRow(group: number, values: Record<string, unknown>): string {
    const columns = this.#columns[group]!;
    const indexes = this.#indexes[group]!;
    for (let i = indexes.size; i < columns.length; i++) indexes.set(columns[i]!, i);
    const cells: string[] = [];
    for (const name in values) {
      let index = indexes.get(name);
      if (index === undefined) {
        index = columns.length;
        indexes.set(name, index);
        columns.push(name);
      }
      cells[index] = csvCell(values[name]);
    }
    cells.length = columns.length;
    return cells.join(",");
  }
}
