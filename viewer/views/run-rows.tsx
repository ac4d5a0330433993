import { useMemo } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { StatusText } from "../parts/state-badge.tsx";
import { joinNames } from "../route.ts";
import { columnWidth } from "../table/choose-columns.ts";
import type { Column, RunStore } from "../table/run-store.ts";
import { clickSort, type SortKey, sortNames } from "../table/sort-rows.ts";
import { VirtualTable } from "../table/virtual-table.tsx";

interface RunRowsProps {
  store: RunStore;
  rows: Uint32Array;
  columns: readonly Column[];
  keys: readonly SortKey[];
  picked: readonly string[];
}

/** What the explorer takes for a metric. */
const CHARTED = new Set<Column["role"]>(["metric", "cost", "time"]);

/** As many as colours tell apart. */
const MOST_PICKED = 7;

/** One row per run; its name leads to its page, its box chooses it for a comparison. */
export function RunRows({ store, rows, columns, keys, picked }: RunRowsProps) {
  const { route, href, go, adjust } = useApp();
  const { tab: _tab, pick: _pick, ...query } = route.query;
  const head = useMemo(
    () =>
      columns.map((column, i) => ({
        ...{ name: column.name, label: column.name, unit: column.unit },
        widthPx: i === 0 ? Math.min(220, innerWidth * 0.45) : columnWidth(column, store.count),
        isNumber: column.kind === "number" && column.role !== "started",
        ...(CHARTED.has(column.role) && {
          chartHref: href({
            page: "study",
            query: { tab: "explore", y: column.name, filter: route.query.filter ?? "" },
          }),
        }),
      })),
    [columns, store.count, href, route.query.filter],
  );
  const solved = store.column("solved") ?? store.column("solve_rate");
  const pick = (id: string) => {
    const others = picked.filter((other) => other !== id);
    adjust({
      pick: joinNames(others.length < picked.length ? others : [...others.slice(1 - MOST_PICKED), id]),
    });
  };
  return (
    <VirtualTable
      label="Runs"
      head={head}
      count={rows.length}
      sort={keys}
      onSort={(column, adds) => adjust({ sort: joinNames(sortNames(clickSort(keys, column, adds))) })}
      rowKey={(place) => rows[place]!}
      onOpen={(place) => go({ page: "run", run: store.idOf(rows[place]!), query })}
      cells={(place) => {
        const row = rows[place]!;
        const id = store.idOf(row);
        return columns.map((column, i) =>
          i === 0 ? (
            <span class="run-name">
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={`choose ${id} for a comparison`}
                checked={picked.includes(id)}
                onChange={() => pick(id)}
              />
              <a
                href={href({ page: "run", run: id, query })}
                title={id}
                onKeyDown={(event) => event.key === "x" && pick(id)}
              >
                {id}
              </a>
            </span>
          ) : column.role === "status" ? (
            <StatusText status={endingOf(column.text(row), solved?.key(row))} />
          ) : (
            cellOf(column, row)
          ),
        );
      }}
    />
  );
}

function cellOf(column: Column, row: number) {
  const text = column.text(row);
  if (text === "") return <span class="none">–</span>;
  return column.kind === "text" ? <span title={text}>{text}</span> : text;
}

/** Of a try at a task people want to know whether it solved it, not that it ran to its end. */
function endingOf(status: string, solved: number | undefined): string {
  if (status !== "ok" || (solved !== 0 && solved !== 1)) return status;
  return solved === 1 ? "solved" : "not solved";
}
