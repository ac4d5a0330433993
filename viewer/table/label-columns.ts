import type { Note } from "../../src/core/note.ts";
import type { RunStore } from "./run-store.ts";
import { TextColumn } from "./text-column.ts";

const NAMES = ["verdict", "tags", "note"] as const;

/** What people said of runs, as columns of the table beside how each run ended; none where nobody said anything. */
export function putLabels(store: RunStore, notes: readonly Note[]): void {
  const before = store.columns.findIndex(({ role }) => role === "label");
  const others = store.columns.filter(({ role }) => role !== "label");
  const said = saidOfRuns(notes);
  const columns = NAMES.flatMap((name) => {
    if (![...said.values()].some((one) => one[name].length > 0)) return [];
    const column = new TextColumn(
      { name: freeName(name, others), role: "label" },
      { words: [""], codes: new Array<number>(store.count).fill(0) },
    );
    for (const [run, one] of said) {
      const row = store.rowOf(run);
      if (row !== undefined) column.set(row, one[name].join(SEPARATORS[name]) || null);
    }
    return [column];
  });
  if (before < 0 && columns.length === 0) return;
  const place = others.findIndex(({ role }) => role === "owner" || role === "metric");
  others.splice(place < 0 ? others.length : place, 0, ...columns);
  store.columns.splice(0, store.columns.length, ...others);
}

const SEPARATORS = { verdict: " / ", tags: " ", note: " · " };

/** By run: different verdicts side by side, all tags, all texts; those of turns say which. */
function saidOfRuns(notes: readonly Note[]): Map<string, Record<(typeof NAMES)[number], string[]>> {
  const said = new Map<string, Record<(typeof NAMES)[number], string[]>>();
  const add = (list: string[], word: string) => list.includes(word) || list.push(word);
  for (const { run, turn, verdict, tags, note } of notes) {
    if (run === undefined) continue;
    const one = said.get(run) ?? { verdict: [], tags: [], note: [] };
    said.set(run, one);
    if (verdict !== null && turn === undefined) add(one.verdict, verdict);
    for (const tag of tags) add(one.tags, tag);
    if (note !== null) add(one.note, turn === undefined ? note : `turn ${turn}: ${note}`);
  }
  for (const { verdict, tags } of said.values()) {
    verdict.sort();
    tags.sort();
  }
  return said;
}

/** A study's own column may have that name already. */
function freeName(name: string, others: readonly { name: string }[]): string {
  let free = name;
  while (others.some((other) => other.name === free)) free = `${free}_label`;
  return free;
}
