import { useEffect, useState } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import type { StudyView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Problem, Waiting } from "../parts/notice.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import type { StudyFeed } from "../state/study-feed.ts";
import { useFeed } from "../state/use-feed.ts";
import { ExploreTab } from "./explore-tab.tsx";
import { LiveHeader } from "./live-header.tsx";
import { Overview } from "./overview.tsx";
import { RunsTab } from "./runs-tab.tsx";
import { SavedViews } from "./saved-views.tsx";
import { StudyChart } from "./study-chart.tsx";
import { TasksTab } from "./tasks-tab.tsx";

/** A study that is read within this time is shown whole at once. */
const AT_ONCE_MS = 300;

const TABS = ["overview", "tasks", "charts", "explore", "runs"] as const;

/** One study: what it found, its charts, its runs. */
export function StudyPage() {
  const { source, route, href, adjust } = useApp();
  const feed = useFeed(source, route.study, { withRuns: route.query.tab === "runs" });
  const { view } = feed;
  if (!view && !feed.error) return <Opening feed={feed} />;
  if (!view)
    return (
      <>
        <Problem text={feed.error!} />
        {source.live && (
          <p>
            <a href={href({ page: "list" })}>All studies</a>
          </p>
        )}
      </>
    );
  const tabs = TABS.filter((name) => name !== "tasks" || view.tasks);
  const tab = tabs.find((name) => name === route.query.tab) ?? "overview";
  // A table begins in the upper third: of a study that is over, one word says how it stands.
  const isTable = tab === "runs" || tab === "tasks" || tab === "explore";
  const isQuiet = isTable && !["running", "paused", "stopping"].includes(feed.card?.state ?? "done");
  const large = view.charts.find(({ id }) => id === route.query.chart);
  const ended = feed.card
    ? feed.card.counts.ok + feed.card.counts.stopped + feed.card.counts.failed + feed.card.counts.cancelled
    : view.counts.total - view.counts.missing;
  const count = {
    ...{ overview: null, charts: view.charts.length, runs: feed.store?.count ?? ended },
    explore: null,
    tasks: view.tasks?.tasks.length ?? null,
  };
  return (
    <>
      {feed.error && <Problem text={feed.error} />}
      {!feed.isConnected && (
        <Problem text="Connection lost. What you see may be out of date. Reconnecting …" />
      )}
      {feed.isBefore && <Outdated view={view} />}
      <header class={tab === "overview" ? "study-head" : "study-head compact"}>
        {view.question !== null && <p class="eyebrow">{view.name}</p>}
        <h1>
          {view.question ?? view.name} {feed.card && isQuiet && <StateBadge card={feed.card} />}
        </h1>
      </header>
      {feed.card && !isQuiet && <LiveHeader card={feed.card} isShort={isTable} />}
      <nav class="tabs" aria-label="Views of this study">
        {tabs.map((name) => (
          <a
            key={name}
            href={href({ page: "study", query: name === "overview" ? {} : { tab: name } })}
            aria-current={name === tab ? "page" : undefined}
          >
            {name}
            {count[name] !== null && <span class="count">{countText(count[name])}</span>}
          </a>
        ))}
        <SavedViews views={feed.notes.views} />
      </nav>
      {tab === "overview" && <Overview feed={feed} view={view} />}
      {tab === "charts" && (
        <section class="charts single" aria-label="Charts">
          {view.charts.length === 0 && <p class="empty">This study has nothing to chart yet.</p>}
          {view.charts.map((chart) => (
            <StudyChart key={chart.id} feed={feed} chart={chart} />
          ))}
        </section>
      )}
      {tab === "tasks" && view.tasks && <TasksTab feed={feed} grid={view.tasks} />}
      {tab === "explore" && <ExploreTab feed={feed} />}
      {tab === "runs" && <RunsTab feed={feed} />}
      {large && (
        <Dialog label={large.title} kind="wide" onClose={() => adjust({ chart: "" })}>
          <StudyChart feed={feed} chart={large} />
        </Dialog>
      )}
    </>
  );
}

/** A view of before is mostly still true; where it is not known soon, it says so. */
function Outdated({ view }: { view: StudyView }) {
  const isLate = useLate();
  const { ok, stopped, failed, cancelled } = view.counts;
  return isLate ? (
    <p class="quiet-text" role="status">
      What {countText(ok + stopped + failed + cancelled)} runs said. Working out what all of them say …
    </p>
  ) : null;
}

/** Whether a reader has waited for longer than an eye blinks. */
function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), AT_ONCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** What is known while the server works out the answer, which takes seconds where there are very many runs. */
function Opening({ feed }: { feed: StudyFeed }) {
  const { route, href } = useApp();
  if (!useLate()) return <Waiting />;
  const { card, question } = feed;
  const name = card?.name ?? route.study.split("/").at(-1);
  return (
    <>
      <header class="study-head">
        {question !== null && <p class="eyebrow">{name}</p>}
        <h1>{question ?? name}</h1>
      </header>
      {card && <LiveHeader card={card} isShort />}
      <nav class="tabs" aria-label="Views of this study">
        {(["overview", "explore", "runs"] as const).map((name) => (
          <a
            key={name}
            href={href({ page: "study", query: name === "overview" ? {} : { tab: name } })}
            aria-current={name === (route.query.tab ?? "overview") ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {route.query.tab === "runs" ? (
        <RunsTab feed={feed} />
      ) : (
        <p class="quiet-text" role="status">
          {card
            ? `Working out what ${countText(card.counts.total - card.counts.missing)} runs say …`
            : `Reading ${feed.records === null ? "its" : countText(feed.records)} records …`}
        </p>
      )}
    </>
  );
}
