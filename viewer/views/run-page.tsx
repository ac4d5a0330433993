import { useEffect, useMemo } from "preact/hooks";
import { bytesText, countText, durationText } from "../../src/core/number-text.ts";
import type { RunText, RunView, Tail } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { RunCharts } from "../charts/run-charts.tsx";
import { Command } from "../parts/copy-button.tsx";
import { DiffView } from "../parts/diff-view.tsx";
import { Facts } from "../parts/facts.tsx";
import { NameText } from "../parts/name-text.tsx";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { OutcomeLine } from "../parts/outcome-line.tsx";
import { PlainTable } from "../parts/plain-table.tsx";
import { useFeed } from "../state/use-feed.ts";
import { useRun } from "../state/use-run.ts";
import { sharedParams } from "../table/choose-columns.ts";
import type { RunStore } from "../table/run-store.ts";
import { cellNumberText } from "../text/cell-number-text.ts";
import { valueText } from "../text/value-text.ts";
import { visibleText } from "../text/visible-text.ts";
import { NotePanel } from "./note-panel.tsx";
import { RunFiles } from "./run-files.tsx";
import { RunNavigation } from "./run-navigation.tsx";
import { TranscriptReader } from "./transcript-reader.tsx";

/** One run in full. */
export function RunPage() {
  const { source, route } = useApp();
  const { data, error } = useRun(source, route.study, route.run);
  // The study's statistics and its table would hold up the run that a link leads to.
  const isWanted = data !== undefined || error !== null;
  const feed = useFeed(source, route.study, { isWanted });
  useEffect(() => {
    if (isWanted) feed.loadRuns();
  }, [feed, isWanted]);
  const row = feed.store?.rowOf(route.run);
  return (
    <article class="run">
      <RunNavigation store={feed.store} run={route.run} studyName={feed.view?.name ?? route.study} />
      <h1 class="mono run-title">
        <NameText text={route.run} />
      </h1>
      {error && <Problem text={error} />}
      {data === undefined && !error && <Waiting />}
      {data && <OutcomeLine run={data} />}
      {data !== undefined && <NotePanel subject={{ run: route.run }} label="Notes on this run" />}
      {data && <RunTabs run={data} />}
      {data === null && <RowOnly store={feed.store} row={row} />}
    </article>
  );
}

/** The sides of a run; what an agent did comes first. */
function RunTabs({ run }: { run: RunView }) {
  const { route, href } = useApp();
  const of = (kind: RunText["kind"]) => run.texts.filter((text) => text.kind === kind);
  const patches = of("patch");
  // What left no more than numbers and logs is read from top to bottom.
  if (!run.trajectories && patches.length + of("tests").length === 0)
    return (
      <>
        <Details run={run} />
        <RunFiles run={run} />
      </>
    );
  const counts: Record<string, number | null> = {
    ...(run.trajectories && { transcript: run.trajectories.shown.length + run.trajectories.left }),
    ...(patches.length > 0 && { patch: patches.length }),
    ...(of("tests").length > 0 && { tests: of("tests").length }),
    details: null,
    ...(run.stdout || run.stderr || of("log").length > 0 ? { logs: null } : {}),
    ...(run.files.length > 0 && { files: run.files.length }),
  };
  const names = Object.keys(counts);
  const asked = route.query.tab === "trajectory" ? "transcript" : route.query.tab;
  const tab = names.find((name) => name === asked) ?? names[0]!;
  return (
    <>
      {names.length > 1 && (
        <nav class="tabs" aria-label="Views of this run">
          {names.map((name) => (
            <a
              key={name}
              // The rows that the reader came from go along, so that previous and next stay among them.
              href={href({ page: "run", run: run.id, query: { ...route.query, tab: name, file: "" } })}
              aria-current={name === tab ? "page" : undefined}
            >
              {name}
              {(counts[name] ?? 0) > 1 && <span class="count">{countText(counts[name]!)}</span>}
            </a>
          ))}
        </nav>
      )}
      {tab === "transcript" && <TranscriptReader {...run.trajectories!} />}
      {tab === "patch" &&
        patches.map(({ path, text, isCut }) => (
          <section key={path} aria-label={path}>
            {isCut && <p class="quiet-text">Only the beginning is shown. The run's folder has all of it.</p>}
            <DiffView text={text} label={path} />
          </section>
        ))}
      {tab === "tests" && of("tests").map((text) => <Output key={text.path} name={text.path} tail={text} />)}
      {tab === "details" && <Details run={run} />}
      {tab === "logs" && (
        <>
          <Output name="stdout" tail={run.stdout} />
          <Output name="stderr" tail={run.stderr} />
          {of("log").map((text) => (
            <Output key={text.path} name={text.path} tail={text} />
          ))}
        </>
      )}
      {tab === "files" && <RunFiles run={run} />}
    </>
  );
}

function Details({ run }: { run: RunView }) {
  const named = useMemo(() => [{ name: "this run", run }], [run]);
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
              <Identity facts={identity} params={run.params} />
            )}
          </section>
          <section aria-labelledby="alone-title">
            <h2 id="alone-title">Run it alone</h2>
            <Command text={run.command} />
          </section>
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
      <RunCharts runs={named} />
      <Output name="stdout" tail={run.stdout} />
      <Output name="stderr" tail={run.stderr} />
    </>
  );
}

interface IdentityProps {
  facts: readonly { label: string; value: string }[];
  params: RunView["params"];
}

/** What the run was called with. What every run of the study was called with is folded. */
function Identity({ facts, params }: IdentityProps) {
  const { source, route } = useApp();
  const { store } = useFeed(source, route.study);
  const shared = useMemo(() => new Set(store ? sharedParams(store) : []), [store, store?.count]);
  const isShared = ({ label }: { label: string }) => Object.hasOwn(params, label) && shared.has(label);
  const constants = facts.filter(isShared);
  if (constants.length === 0) return <Facts facts={facts} />;
  return (
    <>
      <Facts facts={facts.filter((fact) => !isShared(fact))} />
      <details class="constants">
        <summary>{countText(constants.length)} the same in all runs</summary>
        <Facts facts={constants} />
      </details>
    </>
  );
}

function Output({ name, tail }: { name: string; tail: Tail | null }) {
  if (!tail) return null;
  return (
    <section aria-label={name}>
      <h2>
        {visibleText(name)} <span class="count">{bytesText(tail.bytes)}</span>
      </h2>
      {tail.text === "" ? (
        <p class="empty">No output.</p>
      ) : (
        <>
          {tail.isCut && <p class="quiet-text">Only the end is shown. The run's folder has all of it.</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="log" tabIndex={0}>
            {visibleText(tail.text)}
          </pre>
        </>
      )}
    </section>
  );
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
