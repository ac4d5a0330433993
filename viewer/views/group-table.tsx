import { useMemo } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import { useApp } from "../app-context.ts";
import { joinNames } from "../route.ts";
import { groupRows, sortGroups } from "../table/group-rows.ts";
import { filterWord } from "../table/parse-filter.ts";
import type { Column, RunStore } from "../table/run-store.ts";
import { clickSort, type SortKey, sortNames } from "../table/sort-rows.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { cellNumberText } from "../text/cell-number-text.ts";

interface GroupTableProps {
  store: RunStore;
  rows: Uint32Array;
  by: Column;
  columns: readonly Column[];
  keys: readonly SortKey[];
}

const MEANS = ["metric", "cost", "time"];

/** A row a value of one column: how many runs, how many good, the mean of each number. */
export function GroupTable({ store, rows, by, columns, keys }: GroupTableProps) {
  const { route, href, go, adjust } = useApp();
  const means = useMemo(
    () =>
      columns.filter((column) => column !== by && column.kind === "number" && MEANS.includes(column.role)),
    [columns, by],
  );
  const groups = useMemo(
    () => sortGroups(groupRows(store, rows, { by, means }), keys, means),
    [store, rows, by, means, keys],
  );
  const head = [
    { name: by.name, label: by.name, widthPx: 220, isNumber: false },
    { name: "runs", label: "runs", widthPx: 84, isNumber: true },
    { name: "ok", label: "ok", widthPx: 84, isNumber: true },
    ...means.map(({ name, unit }) => ({
      ...{ name, label: name, unit, isNumber: true },
      widthPx: Math.max(110, (name.length + (unit?.length ?? 0)) * 8.9 + 60),
    })),
  ];
  const inside = (value: string) => {
    const clause = `${filterWord(by.name)}=${value === "" ? "" : filterWord(value)}`;
    return {
      query: { ...route.query, group: "", sort: "", filter: `${route.query.filter ?? ""} ${clause}`.trim() },
    };
  };
  return (
    <VirtualTable
      label={`Runs by ${by.name}`}
      head={head}
      count={groups.length}
      sort={keys}
      onSort={(column, adds) =>
        adjust({ sort: joinNames(sortNames(clickSort(keys, column, adds).slice(-1))) })
      }
      rowKey={(place) => groups[place]!.value}
      onOpen={(place) => go(inside(groups[place]!.value))}
      cells={(place) => {
        const group = groups[place]!;
        return [
          <a href={href(inside(group.value))}>{group.label === "" ? "none" : group.label}</a>,
          countText(group.count),
          countText(group.ok),
          ...group.means.map((mean, i) =>
            mean === null ? <span class="none">–</span> : cellNumberText(mean, means[i]!.role),
          ),
        ];
      }}
    />
  );
}
