import type { RunStore } from "./run-store.ts";

export interface SortKey {
  column: string;
  isDescending: boolean;
}

/** The rows in another order: by the first key, ties by the next, then as they came. Unknown values stand last. */
export function sortRows(store: RunStore, rows: Uint32Array, keys: readonly SortKey[]): Uint32Array {
  const used = keys.flatMap(({ column, isDescending }) => {
    const found = store.column(column);
    if (!found) return [];
    const values = Float64Array.from(rows, (row) => found.key(row));
    return [{ values, sign: isDescending ? -1 : 1 }];
  });
  if (used.length === 0) return rows;
  const order = Uint32Array.from(rows, (_, place) => place);
  order.sort((a, b) => {
    for (const { values, sign } of used) {
      const [left, right] = [values[a]!, values[b]!];
      if (left === right) continue;
      if (Number.isNaN(left) && Number.isNaN(right)) continue;
      if (Number.isNaN(left)) return 1;
      if (Number.isNaN(right)) return -1;
      return (left - right) * sign;
    }
    return a - b;
  });
  return order.map((place) => rows[place]!);
}

/** `-cost` sorts from the largest. */
export function parseSort(names: readonly string[]): SortKey[] {
  return names.map((name) =>
    name.startsWith("-")
      ? { column: name.slice(1), isDescending: true }
      : { column: name, isDescending: false },
  );
}

export function sortNames(keys: readonly SortKey[]): string[] {
  return keys.map(({ column, isDescending }) => (isDescending ? `-${column}` : column));
}

/** What a click on a header makes of the order: up, down, as it came; with `adds` behind the keys there are. */
export function clickSort(keys: readonly SortKey[], column: string, adds: boolean): SortKey[] {
  const now = keys.find((key) => key.column === column);
  const others = adds ? keys.filter((key) => key.column !== column) : [];
  if (!now) return [...others, { column, isDescending: false }];
  return now.isDescending ? others : [...others, { column, isDescending: true }];
}
