import { suggestion } from "../../src/core/suggest.ts";
import type { NumberColumn } from "./number-column.ts";
import { type Clause, type Operator, parseFilter } from "./parse-filter.ts";
import type { Column, RunStore } from "./run-store.ts";
import type { TextColumn } from "./text-column.ts";

export interface Filtered {
  rows: Uint32Array;
  /** Conditions that mean nothing here, and what may have been meant; they are left out. */
  problems: string[];
}

type Test = (row: number) => boolean;

/** The rows that a filter leaves, in their order. */
export function filterRows(store: RunStore, text: string): Filtered {
  const problems: string[] = [];
  const tests: Test[] = [];
  for (const clause of parseFilter(text)) {
    const test = clause.kind === "word" ? wordTest(store.columns, clause.text) : clauseTest(store, clause);
    if (typeof test === "string") problems.push(test);
    else tests.push(test);
  }
  const rows = new Uint32Array(store.count);
  let length = 0;
  for (let row = 0; row < store.count; row++) {
    if (tests.every((test) => test(row))) rows[length++] = row;
  }
  return { rows: rows.subarray(0, length), problems };
}

function clauseTest(store: RunStore, clause: Clause & { kind: "column" }): Test | string {
  const lower = clause.name.toLowerCase();
  const column = store.column(clause.name) ?? store.columns.find(({ name }) => name.toLowerCase() === lower);
  if (!column) {
    const names = store.columns.map(({ name }) => name);
    return `There is no column "${clause.name}". ${suggestion(clause.name, names)}`;
  }
  return column.kind === "number" ? numberTest(column, clause) : textTest(column, clause);
}

function numberTest(column: NumberColumn, { operator, values }: Clause & { kind: "column" }): Test | string {
  if (operator === "~" || operator === "!~") {
    const isWanted = operator === "~";
    return (row) => values.some((value) => column.text(row).includes(value)) === isWanted;
  }
  const wanted = values.map((value) => (value === "" ? Number.NaN : Number(value)));
  const wrong = values.find((value, i) => value !== "" && Number.isNaN(wanted[i]));
  if (wrong !== undefined) return `${column.name} holds numbers, so it can't be compared with "${wrong}".`;
  const isEqual = (row: number) => wanted.some((value) => Object.is(column.key(row), value + 0));
  if (operator === "=") return isEqual;
  if (operator === "!=") return (row) => !isEqual(row);
  const compare = COMPARE[operator];
  return (row) => wanted.some((value) => compare(column.key(row), value));
}

const COMPARE: Record<">" | ">=" | "<" | "<=", (a: number, b: number) => boolean> = {
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
};

/** Asks each word once, not each row. */
function textTest(column: TextColumn, { operator, values }: Clause & { kind: "column" }): Test {
  const matches = values.map((value) => wordMatch(operator, value));
  const isNot = operator === "!=" || operator === "!~";
  const hits = column.words.map((word) => matches.some((match) => match(word.toLowerCase())) !== isNot);
  const missing = matches.some((match) => match("")) !== isNot;
  return (row) => hits[column.code(row)] ?? missing;
}

function wordMatch(operator: Operator, value: string): (word: string) => boolean {
  const wanted = value.toLowerCase();
  if (operator === "~" || operator === "!~") return (word) => word.includes(wanted);
  if (operator === "=" || operator === "!=") {
    if (!wanted.includes("*")) return (word) => word === wanted;
    const parts = wanted.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join(".*")}$`, "s");
    return (word) => pattern.test(word);
  }
  const compare = COMPARE[operator];
  return (word) => word !== "" && compare(word < wanted ? -1 : word > wanted ? 1 : 0, 0);
}

/** A word is found in any text; a number also equals a number. */
function wordTest(columns: readonly Column[], text: string): Test {
  const wanted = text.toLowerCase();
  const value = Number(text);
  const tests = columns.flatMap((column): Test[] => {
    if (column.kind === "number") return Number.isNaN(value) ? [] : [(row) => column.key(row) === value];
    const hits = column.words.map((word) => word.toLowerCase().includes(wanted));
    return hits.includes(true) ? [(row) => hits[column.code(row)] === true] : [];
  });
  return (row) => tests.some((test) => test(row));
}
