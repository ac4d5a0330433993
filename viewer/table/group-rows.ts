import type { Column, RunStore } from "./run-store.ts";
import type { SortKey } from "./sort-rows.ts";

export interface Group {
  /** What the rows share; "" where it is unknown. */
  label: string;
  /** The same with all digits, as a filter wants it. */
  value: string;
  /** For sorting: NaN where it is unknown. */
  key: number;
  count: number;
  ok: number;
  /** Means over the rows that have a value, by column; null where none has. */
  means: (number | null)[];
}

/** The rows by what one column holds, with counts and the means of number columns. */
export function groupRows(
  store: RunStore,
  rows: Uint32Array,
  { by, means }: { by: Column; means: readonly Column[] },
): Group[] {
  const status = store.columns.find(({ role }) => role === "status");
  const groups = new Map<string, Group>();
  const sums = new Map<Group, { sum: Float64Array; n: Uint32Array }>();
  for (const row of rows) {
    const value = String(by.value(row) ?? "");
    let group = groups.get(value);
    if (!group) {
      group = { label: by.text(row), value, key: by.key(row), count: 0, ok: 0, means: [] };
      groups.set(value, group);
      sums.set(group, { sum: new Float64Array(means.length), n: new Uint32Array(means.length) });
    }
    group.count++;
    if (status?.text(row) === "ok") group.ok++;
    const { sum, n } = sums.get(group)!;
    for (let i = 0; i < means.length; i++) {
      const value = means[i]!.key(row);
      if (Number.isNaN(value)) continue;
      sum[i]! += value;
      n[i]!++;
    }
  }
  for (const [group, { sum, n }] of sums) {
    group.means = means.map((_, i) => (n[i]! > 0 ? sum[i]! / n[i]! : null));
  }
  return [...groups.values()];
}

/** Groups by their label, by "runs", by "ok", or by a column's mean; by label where nothing is asked. */
export function sortGroups(
  groups: readonly Group[],
  keys: readonly SortKey[],
  means: readonly Column[],
): Group[] {
  const [key] = keys;
  const at = means.findIndex(({ name }) => name === key?.column);
  const measure = (group: Group): number => {
    if (key?.column === "runs") return group.count;
    if (key?.column === "ok") return group.ok;
    return at >= 0 ? (group.means[at] ?? Number.NaN) : group.key;
  };
  const sign = key?.isDescending ? -1 : 1;
  return groups.toSorted((a, b) => {
    const [left, right] = [measure(a), measure(b)];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return (left - right) * sign;
  });
}
