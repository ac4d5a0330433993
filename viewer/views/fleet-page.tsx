import { useEffect, useState } from "preact/hooks";
import type { FleetStudy, FleetView, FleetWorker } from "../../src/core/fleet-view.ts";
import { durationText, fixedText, numberText } from "../../src/core/number-text.ts";
import type { StudyCard } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Command } from "../parts/copy-button.tsx";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { PlainTable } from "../parts/plain-table.tsx";
import type { LiveSource } from "../source/source.ts";

const EVERY_MS = 2000;
const MOST_RUNS = 50;

/** The machines that take runs from a queue: who is there, what runs, what waits and what is wrong. */
export function FleetPage() {
  const { source } = useApp();
  const { view, cards, error } = useFleet(source.live!);
  const linkOf = useLinks(cards);
  if (!view) return error ? <Problem text={error} /> : <Waiting />;
  const { queue, workers, studies, classes, limits, nowMs } = view;
  return (
    <>
      {error && <Problem text={`${error} What you see is old; trying again.`} />}
      <header class="study-head">
        <p class="eyebrow mono">{queue}</p>
        <h1>Fleet</h1>
        <p role="status">{headline(view)}</p>
      </header>
      <Troubles view={view} />
      {workers.length === 0 ? (
        <Empty title="No workers">
          <p>Start one on any machine that can reach the queue. It appears here within a second.</p>
          <Command text={`assay worker --queue ${queue}`} />
        </Empty>
      ) : (
        <section>
          <h2>Workers</h2>
          <PlainTable
            label="Workers"
            header={[
              "worker",
              "version",
              "state",
              "busy",
              "cores",
              "memory",
              "labels",
              "done",
              "failed",
              "a minute",
            ]}
            rows={workers.map((worker) => workerRow(worker, nowMs))}
          />
        </section>
      )}
      <Running view={view} linkOf={linkOf} />
      {studies.length > 0 && (
        <section>
          <h2>Studies in progress</h2>
          <PlainTable
            label="Studies in progress"
            header={["study", "run by", "state", "ended", "of", "failed", "results waiting", "for"]}
            rows={studies.map((study) => studyRow(study, nowMs))}
            linkOf={(row, column) => (column === 0 ? linkOf(studies[row]!.name) : undefined)}
          />
        </section>
      )}
      {classes.length > 0 && (
        <section>
          <h2>Waiting, by what it needs</h2>
          <PlainTable
            label="Waiting, by what it needs"
            header={["needs", "waiting", "delayed", "under way", "workers that have it"]}
            rows={classes.map((one) =>
              [one.needs, one.waiting, one.delayed, one.underWay, one.workers || "none"].map(String),
            )}
          />
        </section>
      )}
      {limits.length > 0 && (
        <section>
          <h2>Limits</h2>
          <PlainTable
            label="Limits"
            header={["label", "under way", "at most", "a minute at most"]}
            rows={limits.map(({ label, underWay, concurrent, perMinute }) =>
              [label, underWay, concurrent ?? "", perMinute ?? ""].map(String),
            )}
          />
        </section>
      )}
    </>
  );
}

/** Where a study of the queue, or a run of it, is read; undefined for one that this page does not serve. */
type LinkOf = (study: string, run?: string) => string | undefined;

/** A queue knows studies by their names; only one that goes by its name alone has a link. */
function useLinks(cards: readonly StudyCard[]): LinkOf {
  const { href } = useApp();
  return (study, run) => {
    const [card, other] = cards.filter(({ name }) => name === study);
    if (!card || other) return undefined;
    return href({ study: card.id, ...(run === undefined ? { page: "study" } : { page: "run", run }) });
  };
}

function Running({ view: { workers, nowMs }, linkOf }: { view: FleetView; linkOf: LinkOf }) {
  const runs = workers
    .filter(({ state }) => state !== "silent")
    .flatMap(({ id, doing }) => doing.map((one) => ({ ...one, worker: id })))
    .sort((a, b) => a.sinceMs - b.sinceMs);
  if (runs.length === 0) return null;
  return (
    <section>
      <h2>Running now</h2>
      <PlainTable
        label="Running now"
        header={["study", "run", "worker", "for"]}
        rows={runs
          .slice(0, MOST_RUNS)
          .map(({ study, run, worker, sinceMs }) => [study, run, worker, durationText(nowMs - sinceMs)])}
        linkOf={(row, column) =>
          column > 1 ? undefined : linkOf(runs[row]!.study, column === 0 ? undefined : runs[row]!.run)
        }
      />
      {runs.length > MOST_RUNS && <p class="hint">and {runs.length - MOST_RUNS} more</p>}
    </section>
  );
}

function Troubles({ view: { workers, troubles } }: { view: FleetView }) {
  const notes = workers.flatMap(({ id, state, notes: all }) => all.map((note) => [state, id, note]));
  const jobs = troubles.map(({ kind, study, what, why }) => [
    kind,
    [study, what].filter(Boolean).join(" "),
    why,
  ]);
  const rows = [...notes, ...jobs];
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Trouble</h2>
      <PlainTable label="Trouble" header={["what", "where", "why"]} rows={rows} />
    </section>
  );
}

function headline({ workers }: FleetView): string {
  const living = workers.filter(({ state }) => state !== "silent" && state !== "refused");
  const sum = (count: (worker: FleetWorker) => number) =>
    living.reduce((total, one) => total + count(one), 0);
  const words = [
    `${living.length} ${living.length === 1 ? "worker" : "workers"}`,
    `${sum(({ doing }) => doing.length)} of ${sum(({ jobs }) => jobs)} places busy`,
    `${rateText(sum(({ perMinute }) => perMinute))} runs per minute`,
  ];
  return words.join(" · ");
}

function workerRow(worker: FleetWorker, nowMs: number): string[] {
  const { id, version, state, doing, jobs, cores, memoryMb, labels, done, failed, perMinute } = worker;
  const stateText = state === "silent" ? `silent for ${durationText(nowMs - worker.seenAtMs)}` : state;
  const has = [String(cores), `${fixedText(memoryMb / 1024, 1)} GB`, labels.join(", ")];
  return [
    id,
    version,
    stateText,
    `${doing.length} of ${jobs}`,
    ...has,
    String(done),
    String(failed),
    rateText(perMinute),
  ];
}

function studyRow(study: FleetStudy, nowMs: number): string[] {
  const { name, host, state, ended, total, failed, resultsWaiting, startedAtMs } = study;
  const numbers = [ended, total ?? "", failed, resultsWaiting].map(String);
  return [
    name,
    host,
    state === "away" ? "away; results wait" : state,
    ...numbers,
    durationText(nowMs - startedAtMs),
  ];
}

function rateText(perMinute: number): string {
  return numberText(perMinute, 2);
}

interface Fleet {
  view: FleetView | null;
  /** The studies that this page serves. */
  cards: readonly StudyCard[];
  error: string | null;
}

/** Asked for again every couple of seconds; what was there is shown while the queue does not answer. */
function useFleet(live: LiveSource): Fleet {
  const [view, setView] = useState<FleetView | null>(null);
  const [cards, setCards] = useState<readonly StudyCard[]>([]);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let known: readonly StudyCard[] = [];
    const look = async () => {
      try {
        const seen = await live.fleet();
        if (isOver) return;
        setView(seen);
        setError(null);
        // A study may begin after the page was opened, and the queue may know of it before its folder is found.
        if (seen.studies.some((study) => !known.some(({ name }) => name === study.name))) {
          known = await live.studies();
          if (isOver) return;
          setCards(known);
        }
      } catch (problem) {
        if (isOver) return;
        setError((problem as Error).message);
      }
      timer = setTimeout(look, EVERY_MS);
    };
    look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [live]);
  return { view, cards, error };
}
