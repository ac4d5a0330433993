import { csvCell } from "../core/escape.ts";
import { GROUPS, type Group, OWN_COLUMNS, type Row } from "./row.ts";

/** Whose names give way to those before them, and what is added to tell them apart. */
const SUFFIXES: [Group, string][] = [
  ["params", "_param"],
  ["flags", "_flag"],
  ["metrics", "_metric"],
];

/** The columns of a table of runs, in groups; a group grows as rows bring new names. */
export class Columns {
  readonly #groups = GROUPS.map(() => new Set<string>());
  /** Those that have held a text: what looks like a number or a date there is none. */
  readonly #texts = GROUPS.map(() => new Set<string>());

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

  /** Says that a column holds texts, where the rows are not made by `line`. */
  noteText(group: Group, name: string): void {
    this.#texts[GROUPS.indexOf(group)]!.add(name);
  }

  /** The names of columns that hold texts, by their place in the list. */
  get texts(): boolean[] {
    return GROUPS.flatMap((_, g) => [...this.#groups[g]!].map((name) => this.#texts[g]!.has(name)));
  }

  get list(): { group: Group; name: string }[] {
    return GROUPS.flatMap((group, g) => [...this.#groups[g]!].map((name) => ({ group, name })));
  }

  /**
   * Column names, each one once, whatever their case, as SQL wants it. Assay's own come first: a parameter of the same name
   * becomes `<name>_param`, a metric named like either `<name>_metric`.
   */
  get names(): string[] {
    const taken = new Set(OWN_COLUMNS);
    const given = new Map<string, string>();
    const give = (group: Group, name: string, own: string) => {
      taken.add(own.toLowerCase());
      given.set(`${group} ${name}`, own);
    };
    for (const [group, suffix] of SUFFIXES) {
      const waiting: string[] = [];
      for (const name of this.#groups[GROUPS.indexOf(group)]!) {
        if (group === "flags" && OWN_COLUMNS.includes(name)) continue;
        if (taken.has(name.toLowerCase())) waiting.push(name);
        else give(group, name, name);
      }
      for (const name of waiting) {
        let own = name + suffix;
        while (taken.has(own.toLowerCase())) own += suffix;
        give(group, name, own);
      }
    }
    return this.list.map(({ group, name }) => given.get(`${group} ${name}`) ?? name);
  }

  get header(): string {
    return `${this.names.map(csvCell).join(",")}\n`;
  }

  /** A row as a line of CSV. */
  line(row: Row): string {
    let text = "";
    for (const [g, group] of GROUPS.entries()) {
      const values = row[group];
      for (const name of this.#groups[g]!) {
        const value = values[name];
        if (typeof value === "string" || (typeof value === "object" && value !== null))
          this.#texts[g]!.add(name);
        text += `${csvCell(value)},`;
      }
    }
    return `${text.slice(0, -1)}\n`;
  }
}
