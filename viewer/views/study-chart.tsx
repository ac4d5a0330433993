import { useEffect, useMemo } from "preact/hooks";
import type { ChartView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartChooser, type Chosen } from "../charts/chart-chooser.tsx";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { brushFilter, choiceOf, exploreChart, queryOf, settled } from "../charts/explore-chart.ts";
import { joinNames, splitNames } from "../route.ts";
import type { StudyFeed } from "../state/study-feed.ts";
import { filterRows } from "../table/filter-rows.ts";
import type { RunStore } from "../table/run-store.ts";

const KEYS = ["y", "x", "colour", "facet", "log"] as const;

interface StudyChartProps {
  feed: StudyFeed;
  chart: ChartView;
  enlargeHref?: string;
}

/**
 * A chart of the study, in which a reader can choose to see something else: then it shows the runs themselves, each a
 * dot that leads to it. What is chosen stands in the address.
 */
export function StudyChart({ feed, chart, enlargeHref }: StudyChartProps) {
  const { route, adjust } = useApp();
  const open = splitNames(route.query.choose);
  const isOn = open.includes(chart.id);
  useEffect(() => {
    if (isOn) feed.loadRuns();
  }, [feed, isOn]);
  const toggle = () => {
    const others = open.filter((id) => id !== chart.id);
    adjust({
      choose: joinNames(isOn ? others : [...others, chart.id]),
      ...(isOn && Object.fromEntries(KEYS.map((key) => [`${key}.${chart.id}`, ""]))),
    });
  };
  const enlarge = enlargeHref === undefined ? {} : { enlargeHref };
  if (isOn && feed.store) return <ChosenChart {...{ feed, chart, toggle }} {...enlarge} store={feed.store} />;
  return <ChartFigure chart={chart} choosing={{ isOn, toggle }} {...enlarge} />;
}

interface ChosenChartProps extends StudyChartProps {
  store: RunStore;
  toggle: () => void;
}

function ChosenChart({ feed, chart, store, toggle, enlargeHref }: ChosenChartProps) {
  const { route, href, go, adjust } = useApp();
  const own = Object.fromEntries(
    KEYS.flatMap((key) => {
      const value = route.query[`${key}.${chart.id}`];
      return value === undefined ? [] : [[key, value]];
    }),
  ) as Chosen;
  const version = feed.rowsVersion;
  const begin = useMemo(() => choiceOf(chart, store), [chart, store, version]);
  const metric = feed.view?.metric?.name ?? null;
  const choice = useMemo(
    () => settled(store, { ...begin, ...own }, metric),
    [store, version, begin, metric, JSON.stringify(own)],
  );
  const drawn = useMemo(
    () => exploreChart(store, filterRows(store, "").rows, choice),
    [store, version, choice],
  );
  const explore = (filter: string) => ({
    page: "study" as const,
    query: { tab: "explore", ...queryOf(choice), filter },
  });
  const choose = (chosen: Chosen) =>
    adjust(Object.fromEntries(Object.entries(chosen).map(([key, value]) => [`${key}.${chart.id}`, value])));
  return (
    <ChartFigure
      chart={drawn ? { ...drawn, id: chart.id } : chart}
      choosing={{ isOn: true, toggle }}
      onOpen={(run) => go({ page: "run", run })}
      onBrush={(ids) => go(explore(brushFilter(store, ids, choice)))}
      {...(enlargeHref !== undefined && { enlargeHref })}
    >
      <ChartChooser store={store} choice={choice} onChange={choose} />
      <p class="table-line">
        {drawn === null && <span>No run has this metric here.</span>}
        <a href={href(explore(""))}>Open in Explore</a>
        <button type="button" class="link" onClick={toggle}>
          Back to the study's chart
        </button>
      </p>
    </ChartFigure>
  );
}
