import { useCallback, useEffect, useMemo } from "preact/hooks";
import { countText, rounded } from "../../src/core/number-text.ts";
import { useApp } from "../app-context.ts";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { saveFile } from "../parts/save-file.ts";
import { SearchBox } from "../parts/search-box.tsx";
import { joinNames, splitNames } from "../route.ts";
import type { StudyFeed } from "../state/study-feed.ts";
import { chosenColumns, firstColumns } from "../table/choose-columns.ts";
import { filterRows } from "../table/filter-rows.ts";
import { filterWord } from "../table/parse-filter.ts";
import type { Column, RunStore } from "../table/run-store.ts";
import { parseSort, sortRows } from "../table/sort-rows.ts";
import { tableCsv } from "../table/table-csv.ts";
import { ColumnChooser } from "./column-chooser.tsx";
import { GroupTable } from "./group-table.tsx";
import { RunRows } from "./run-rows.tsx";

/** All runs: filtered, sorted, grouped as the address says. */
export function RunsTab({ feed }: { feed: StudyFeed }) {
  useEffect(() => {
    feed.loadRuns();
  }, [feed]);
  if (!feed.store) return feed.error ? <Problem text={feed.error} /> : <Waiting />;
  if (feed.store.count === 0)
    return (
      <Empty title="No run has ended yet">
        <p>Each run appears here as soon as it ends.</p>
      </Empty>
    );
  return <Runs feed={feed} store={feed.store} />;
}

function Runs({ feed, store }: { feed: StudyFeed; store: RunStore }) {
  const { source, route, href, adjust } = useApp();
  const { filter = "", sort = "", group = "", cols = "", pick = "" } = route.query;
  const version = feed.rowsVersion;
  const found = useMemo(() => filterRows(store, filter), [store, filter, version]);
  const { metric: main, isSearch = false } = feed.view ?? { metric: null };
  const metric = main?.name ?? null;
  // The best points of a search come first until a reader wants another order.
  const objective = isSearch && group === "" && main?.goal ? bestFirst(main.name, main.goal) : "";
  const keys = useMemo(() => parseSort(splitNames(sort || objective)), [sort, objective]);
  const rows = useMemo(() => sortRows(store, found.rows, keys), [store, found, keys]);
  const columns = useMemo(
    () =>
      chosenColumns(store, cols === "" ? firstColumns(store, metric) : splitNames(cols), {
        metric,
        isSearch,
      }),
    [store, cols, metric, isSearch, version],
  );
  const setFilter = useCallback((text: string) => adjust({ filter: text }), [adjust]);
  const by = group === "" ? undefined : store.column(group);
  const picked = splitNames(pick);
  const isAll = rows.length === store.count;
  return (
    <section class="runs" aria-label="Runs">
      <div class="toolbar">
        <SearchBox
          label="Filter runs"
          value={filter}
          placeholder={`Filter: words, or ${example(columns)}`}
          onChange={setFilter}
          isWide
        />
        <label class="field">
          Group by
          <select value={group} onChange={(event) => adjust({ group: event.currentTarget.value, sort: "" })}>
            <option value="">nothing</option>
            {store.columns
              .filter(({ role }) => role !== "id" && role !== "started")
              .map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </select>
        </label>
        <ColumnChooser
          store={store}
          shown={columns.map(({ name }) => name)}
          onChange={(names) => adjust({ cols: joinNames(names) })}
        />
        <button
          type="button"
          class="button"
          title="The rows and columns shown, at full precision"
          onClick={() => saveFile("runs.csv", tableCsv(columns, rows), "text/csv")}
        >
          Save CSV
        </button>
      </div>
      <p class="table-line" role="status">
        <span>
          {isAll
            ? `${countText(store.count)} runs`
            : `${countText(rows.length)} of ${countText(store.count)} runs`}
        </span>
        {source.left() > 0 && (
          <span>
            {countText(source.left())} of them as rows only: their logs and series are in the study's folder.
          </span>
        )}
        {by && <span>Numbers are means over the runs that have them.</span>}
        {found.problems.map((problem) => (
          <span class="bad">{problem}</span>
        ))}
        {picked.length > 0 && (
          <span class="picked">
            {picked.length === 2 ? (
              <a href={href({ page: "compare-runs", query: { a: picked[0]!, b: picked[1]! } })}>
                Compare the two chosen runs
              </a>
            ) : picked.length > 2 ? (
              <a href={href({ page: "compare-runs", query: { runs: pick } })}>
                Overlay the {picked.length} chosen runs
              </a>
            ) : (
              "Choose one more run to compare."
            )}{" "}
            <button type="button" class="link" onClick={() => adjust({ pick: "" })}>
              Clear
            </button>
          </span>
        )}
      </p>
      {rows.length === 0 ? (
        <Empty title="No run matches">
          <p>
            <button type="button" class="button" onClick={() => adjust({ filter: "" })}>
              Clear the filter
            </button>
          </p>
        </Empty>
      ) : by ? (
        <GroupTable store={store} rows={rows} by={by} columns={columns} keys={keys} />
      ) : (
        <RunRows store={store} rows={rows} columns={columns} keys={keys} picked={picked} />
      )}
    </section>
  );
}

function bestFirst(metric: string, goal: "minimize" | "maximize"): string {
  return joinNames([goal === "maximize" ? `-${metric}` : metric]);
}

/** A condition that works on this very table. */
function example(columns: readonly Column[]): string {
  const param = columns.find(({ kind, role }) => kind === "text" && (role === "param" || role === "variant"));
  const number = columns.find(({ role }) => role === "metric");
  const parts = [
    param ? `${filterWord(param.name)}=${filterWord(param.text(0))}` : "",
    "status!=ok",
    number ? `${filterWord(number.name)}>${rounded(number.key(0), 2) || 0}` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
