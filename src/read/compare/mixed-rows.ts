import type { CsvRow } from "../../archive/scan-csv.ts";

/** What rows differ in shows early. */
const MOST_ROWS = 5000;
/** More values than this name single runs. */
const MOST_VALUES = 100;

/**
 * Finds columns that tell experiments apart: of one task in one arm, each value has one row. Rollouts of one experiment
 * would share the value, and what a rollout ended as would come again.
 */
export class MixedRows {
  readonly #columns: { name: string; index: number; values: Set<string>; places: Set<string> }[];
  readonly #units = new Set<string>();
  #rows = 0;

  /** `used` are columns that somebody asked about already. */
  constructor(columns: readonly string[], used: ReadonlySet<string>) {
    this.#columns = columns
      .map((name, index) => ({ name, index, values: new Set<string>(), places: new Set<string>() }))
      .filter(({ name }) => !used.has(name));
  }

  /** Whether one more row says anything. */
  get hasRoom(): boolean {
    return this.#rows < MOST_ROWS;
  }

  /** `unit` stands for one task of one arm. */
  see(unit: string, row: CsvRow): void {
    this.#rows++;
    this.#units.add(unit);
    for (const { index, values, places } of this.#columns) {
      const text = row.text(index);
      values.add(text);
      places.add(`${text}\0${unit}`);
    }
  }

  /** The columns by name, and how many values each has. */
  found(): { name: string; values: number }[] {
    if (this.#units.size === this.#rows) return [];
    return this.#columns
      .filter(({ values, places }) => {
        const isWords = [...values].every((text) => text === "" || Number.isNaN(Number(text)));
        return (
          isWords && places.size === this.#rows && values.size <= MOST_VALUES && values.size < this.#rows / 2
        );
      })
      .map(({ name, values }) => ({ name, values: values.size }));
  }
}
