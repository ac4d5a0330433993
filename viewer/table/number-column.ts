import type { ColumnRole } from "../../src/reporters/study-view.ts";
import { cellNumberText } from "../text/cell-number-text.ts";

export class NumberColumn {
  readonly kind = "number";
  readonly name: string;
  readonly role: ColumnRole;
  readonly unit: string | null;
  #values: Float64Array;

  constructor(
    about: { name: string; role: ColumnRole; unit: string | null },
    values: readonly (number | null)[],
  ) {
    this.name = about.name;
    this.role = about.role;
    // "1" is how a number without a unit is declared; nobody wants to read it.
    this.unit = about.unit === "1" ? null : about.unit;
    this.#values = new Float64Array(Math.max(16, values.length)).fill(Number.NaN);
    for (let row = 0; row < values.length; row++) this.#values[row] = values[row] ?? Number.NaN;
  }

  /** NaN where it is unknown. */
  key(row: number): number {
    return this.#values[row] ?? Number.NaN;
  }

  set(row: number, value: string | number | null): void {
    if (row >= this.#values.length) {
      const larger = new Float64Array(Math.max(row + 1, this.#values.length * 2)).fill(Number.NaN);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[row] = typeof value === "number" ? value : Number.NaN;
  }

  value(row: number): number | null {
    const value = this.key(row);
    return Number.isNaN(value) ? null : value;
  }

  text(row: number): string {
    const value = this.key(row);
    return Number.isNaN(value) ? "" : cellNumberText(value, this.role);
  }
}
