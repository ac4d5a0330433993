import { useCallback, useEffect, useMemo } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import { useApp } from "../app-context.ts";
import { ChartChooser } from "../charts/chart-chooser.tsx";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { brushFilter, choices, exploreChart, settled } from "../charts/explore-chart.ts";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import type { StudyFeed } from "../state/study-feed.ts";
import { filterRows } from "../table/filter-rows.ts";
import type { RunStore } from "../table/run-store.ts";

/** Any metric over anything, every run a dot that leads to it; what is chosen stands in the address. */
export function ExploreTab({ feed }: { feed: StudyFeed }) {
  useEffect(() => {
    feed.loadRuns();
  }, [feed]);
  if (!feed.store) return feed.error ? <Problem text={feed.error} /> : <Waiting />;
  if (choices(feed.store).metrics.length === 0)
    return (
      <Empty title="Nothing to draw yet">
        <p>No run has reported a number.</p>
      </Empty>
    );
  return <Explorer feed={feed} store={feed.store} />;
}

function Explorer({ feed, store }: { feed: StudyFeed; store: RunStore }) {
  const { route, href, go, adjust } = useApp();
  const { filter = "", y, x, colour, facet, log } = route.query;
  const version = feed.rowsVersion;
  const metric = feed.view?.metric?.name ?? null;
  const choice = useMemo(
    () => settled(store, route.query, metric),
    [store, version, y, x, colour, facet, log, metric],
  );
  const found = useMemo(() => filterRows(store, filter), [store, filter, version]);
  const chart = useMemo(() => exploreChart(store, found.rows, choice), [store, found, choice]);
  const setFilter = useCallback((text: string) => adjust({ filter: text }), [adjust]);
  const brush = (ids: string[]) => {
    const kept = brushFilter(store, ids, choice);
    if (kept !== "") adjust({ filter: filter === "" ? kept : `${filter} ${kept}` });
  };
  const { tab: _, ...query } = route.query;
  return (
    <section class="explore" aria-label="Explore">
      <ChartChooser store={store} choice={choice} onChange={adjust} />
      <div class="toolbar">
        <SearchBox
          label="Filter runs"
          value={filter}
          placeholder="Filter: words, or status!=ok"
          onChange={setFilter}
          isWide
        />
      </div>
      <p class="table-line" role="status">
        <span>
          {found.rows.length === store.count
            ? `${countText(store.count)} runs`
            : `${countText(found.rows.length)} of ${countText(store.count)} runs`}
        </span>
        {found.problems.map((problem) => (
          <span class="bad">{problem}</span>
        ))}
        <span>Click a dot to open its run, drag over dots to filter.</span>
        <a href={href({ page: "study", query: { tab: "runs", filter } })}>Show them in the table</a>
      </p>
      {chart ? (
        <div class="charts single">
          <ChartFigure
            chart={chart}
            onOpen={(run) =>
              go({ page: "run", run, query: { ...(query.filter && { filter: query.filter }) } })
            }
            onBrush={brush}
          />
        </div>
      ) : (
        <Empty title="No run here has this metric">
          <p>{filter === "" ? "Choose another one." : "Choose another one, or take the filter away."}</p>
        </Empty>
      )}
    </section>
  );
}
