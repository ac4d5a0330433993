import { useEffect, useMemo } from "preact/hooks";
import { bytesText, countText, durationText } from "../../src/core/number-text.ts";
import type { RunView, Tail } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { seriesCharts } from "../charts/series-chart.ts";
import { Command } from "../parts/copy-button.tsx";
import { Facts } from "../parts/facts.tsx";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { OutcomeLine } from "../parts/outcome-line.tsx";
import { PlainTable } from "../parts/plain-table.tsx";
import { useFeed } from "../state/use-feed.ts";
import { useRun } from "../state/use-run.ts";
import type { RunStore } from "../table/run-store.ts";
import { cellNumberText } from "../text/cell-number-text.ts";
import { valueText } from "../text/value-text.ts";
import { RunNavigation } from "./run-navigation.tsx";
import { TrajectoryTab } from "./trajectory-tab.tsx";

/** One run in full. */
export function RunPage() {
  const { source, route } = useApp();
  const feed = useFeed(source, route.study);
  useEffect(() => {
    feed.loadRuns();
  }, [feed]);
  const row = feed.store?.rowOf(route.run);
  const { data, error } = useRun(source, route.study, route.run);
  const isOnTurns = (run: RunView): run is RunView & Required<Pick<RunView, "trajectories">> =>
    route.query.tab === "trajectory" && run.trajectories !== undefined;
  return (
    <article class="run">
      <RunNavigation store={feed.store} run={route.run} studyName={feed.view?.name ?? route.study} />
      <h1 class="mono run-title">{route.run}</h1>
      {error && <Problem text={error} />}
      {data === undefined && !error && <Waiting />}
      {data?.trajectories && <Tabs run={data} />}
      {data && (isOnTurns(data) ? <TrajectoryTab {...data.trajectories} /> : <Details run={data} />)}
      {data === null && <RowOnly store={feed.store} row={row} />}
    </article>
  );
}

/** A run of an agent has a second side: its turns. */
function Tabs({ run }: { run: RunView }) {
  const { route, href } = useApp();
  const { shown, left } = run.trajectories ?? { shown: [], left: 0 };
  const count = shown.length + left;
  return (
    <nav class="tabs" aria-label="Views of this run">
      {["run", "trajectory"].map((name) => {
        const isHere = (route.query.tab === "trajectory") === (name === "trajectory");
        // The rows that the reader came from go along, so that previous and next stay among them.
        const query = { ...route.query, tab: name === "run" ? "" : name };
        return (
          <a
            key={name}
            href={href({ page: "run", run: run.id, query })}
            aria-current={isHere ? "page" : undefined}
          >
            {name}
            {name === "trajectory" && count > 1 && <span class="count">{countText(count)}</span>}
          </a>
        );
      })}
    </nav>
  );
}

function Details({ run }: { run: RunView }) {
  const charts = useMemo(() => seriesCharts([{ name: "this run", run }]), [run]);
  const isRunning = run.outcome === null;
  const identity = [
    ...(run.variant === "" ? [] : [{ label: "variant", value: [run.variant, ...run.flags].join(" ") }]),
    ...(run.seed === null ? [] : [{ label: "seed", value: String(run.seed) }]),
    ...(run.task === null ? [] : [{ label: "task", value: run.task }]),
    ...(run.repeat === 0 ? [] : [{ label: "repeat", value: String(run.repeat) }]),
    ...Object.entries(run.params).map(([label, value]) => ({ label, value: valueText(value) })),
  ];
  const labels = Object.entries(run.labels).map(([label, value]) => ({ label, value }));
  return (
    <>
      <OutcomeLine run={run} />
      {run.warnings.length > 0 && (
        <section class="warnings" aria-label="Warnings">
          <ul>
            {run.warnings.map((text) => (
              <li key={text} class="warn">
                <span class="mark" aria-hidden="true">
                  !
                </span>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="columns">
        <div>
          <section aria-labelledby="params-title">
            <h2 id="params-title">Parameters</h2>
            {identity.length === 0 ? (
              <p class="empty">Not known yet; it will be within a second.</p>
            ) : (
              <Facts facts={identity} />
            )}
          </section>
          <section aria-labelledby="alone-title">
            <h2 id="alone-title">Run it alone</h2>
            <Command text={run.command} />
          </section>
          <Files run={run} />
        </div>
        <section aria-labelledby="metrics-title">
          <h2 id="metrics-title">Metrics</h2>
          {run.metrics.length === 0 ? (
            <p class="empty">
              {isRunning ? "They appear when the run has ended." : "This run reported no metric."}
            </p>
          ) : (
            <PlainTable
              label="Metrics"
              header={["metric", "value", "unit"]}
              rows={run.metrics.map(({ name, value, unit }) => [
                name,
                value === null ? "unknown" : cellNumberText(value, "metric"),
                unit === null || unit === "1" ? "" : unit,
              ])}
            />
          )}
          {labels.length > 0 && <Facts facts={labels} />}
        </section>
      </div>
      {run.earlier.length > 0 && (
        <section aria-labelledby="attempts-title">
          <h2 id="attempts-title">Earlier attempts</h2>
          <PlainTable
            label="Earlier attempts"
            header={["attempt", "took", "why it was tried again"]}
            rows={run.earlier.map(({ reason, wallMs }, i) => [String(i + 1), durationText(wallMs), reason])}
          />
        </section>
      )}
      {charts.length > 0 && (
        <section aria-labelledby="series-title">
          <h2 id="series-title">Step by step</h2>
          <div class="charts">
            {charts.map((chart) => (
              <ChartFigure key={chart.id} chart={chart} />
            ))}
          </div>
        </section>
      )}
      <Output name="stdout" tail={run.stdout} />
      <Output name="stderr" tail={run.stderr} />
    </>
  );
}

function Output({ name, tail }: { name: string; tail: Tail | null }) {
  if (!tail) return null;
  return (
    <section aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>
        {name} <span class="count">{bytesText(tail.bytes)}</span>
      </h2>
      {tail.text === "" ? (
        <p class="empty">No output.</p>
      ) : (
        <>
          {tail.isCut && <p class="quiet-text">Only the end is shown. The run's folder has all of it.</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="log" tabIndex={0}>
            {tail.text}
          </pre>
        </>
      )}
    </section>
  );
}

function Files({ run }: { run: RunView }) {
  const { source, route } = useApp();
  if (run.files.length === 0) return null;
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">Files</h2>
      {!source.live && <p class="quiet-text">These open while the report is in its study's folder.</p>}
      <ul class="files">
        {run.files.map(({ path, bytes }) => (
          <li key={path}>
            {source.live ? (
              <a class="mono" href={source.live.fileHref({ study: route.study, run: run.id, path })} download>
                {path}
              </a>
            ) : (
              <a class="mono" href={besideReport(run.id, path)}>
                {path}
              </a>
            )}
            <span class="count">{bytesText(bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A report lies in its study's folder, beside the runs; one that was sent around has lost them. */
function besideReport(run: string, path: string): string {
  return ["..", "runs", run, ...path.split("/")].map(encodeURIComponent).join("/");
}

/** A report of very many runs keeps only the table's row of most. */
function RowOnly({ store, row }: { store: RunStore | null; row: number | undefined }) {
  if (!store) return <Waiting />;
  if (row === undefined)
    return (
      <Empty title="No run has this name">
        <p>It may not have started, it may belong to another study, or its program has changed since.</p>
      </Empty>
    );
  const facts = store.columns.map((column) => ({
    label: column.unit ? `${column.name} (${column.unit})` : column.name,
    value: column.text(row),
  }));
  return (
    <>
      <p class="quiet-text">
        This report is too large to hold every run's details. What follows is its row of the table; the rest
        is in the study's folder.
      </p>
      <Facts facts={facts} />
    </>
  );
}
