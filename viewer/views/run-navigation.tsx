import { useMemo, useState } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import { useApp } from "../app-context.ts";
import { splitNames } from "../route.ts";
import { filterRows } from "../table/filter-rows.ts";
import type { RunStore } from "../table/run-store.ts";
import { parseSort, sortRows } from "../table/sort-rows.ts";

const MOST_OFFERED = 200;

/** From a run to its neighbours, and to one that it is compared with. */
export function RunNavigation({
  store,
  run,
  studyName,
}: {
  store: RunStore | null;
  run: string;
  studyName: string;
}) {
  const { route, href } = useApp();
  const { query } = route;
  const { filter = "", sort = "" } = query;
  /** The rows as the table showed them, from which the reader came. */
  const rows = useMemo(
    () => store && sortRows(store, filterRows(store, filter).rows, parseSort(splitNames(sort))),
    [store, store?.count, filter, sort],
  );
  const row = store?.rowOf(run);
  const place = rows && row !== undefined ? rows.indexOf(row) : -1;
  const neighbour = (step: number): string | null => {
    const next = place < 0 ? undefined : rows?.[place + step];
    return store && next !== undefined ? store.idOf(next) : null;
  };
  const [before, after] = [neighbour(-1), neighbour(1)];
  return (
    <nav class="run-nav" aria-label="Around this run">
      <a href={href({ page: "study" })}>{studyName || "Study"}</a>
      <span aria-hidden="true">/</span>
      <a href={href({ page: "study", query: { ...query, tab: "runs" } })}>runs</a>
      <span class="grow" />
      {place >= 0 && (
        <span class="quiet-text">
          {countText(place + 1)} of {countText(rows!.length)}
          {filter !== "" && " filtered"}
        </span>
      )}
      {before && (
        <a class="button" data-key="p" rel="prev" href={href({ page: "run", run: before, query })}>
          ← Previous
        </a>
      )}
      {after && (
        <a class="button" data-key="n" rel="next" href={href({ page: "run", run: after, query })}>
          Next →
        </a>
      )}
      {store && <CompareWith store={store} run={run} />}
    </nav>
  );
}

function CompareWith({ store, run }: { store: RunStore; run: string }) {
  const { go } = useApp();
  const [text, setText] = useState("");
  const wanted = text.toLowerCase();
  const offered: string[] = [];
  for (let row = 0; row < store.count && offered.length < MOST_OFFERED; row++) {
    const id = store.idOf(row);
    if (id !== run && id.toLowerCase().includes(wanted)) offered.push(id);
  }
  return (
    <form
      class="compare-with"
      onSubmit={(event) => {
        event.preventDefault();
        const other = store.rowOf(text) !== undefined ? text : offered[0];
        if (other) go({ page: "compare-runs", query: { a: run, b: other } });
      }}
    >
      <input
        class="search"
        list="other-runs"
        aria-label="Compare with run"
        placeholder="Compare with …"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          const chosen = event.currentTarget.value;
          if (chosen !== run && store.rowOf(chosen) !== undefined)
            go({ page: "compare-runs", query: { a: run, b: chosen } });
        }}
      />
      <datalist id="other-runs">
        {offered.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </form>
  );
}
