import { useState } from "preact/hooks";
import { countText } from "../../src/core/number-text.ts";
import type { StudyView, TableView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { Command } from "../parts/copy-button.tsx";
import { Facts } from "../parts/facts.tsx";
import { PlainTable } from "../parts/plain-table.tsx";
import { Prose } from "../parts/prose.tsx";
import type { StudyFeed } from "../state/study-feed.ts";
import { FAILED } from "../table/parse-filter.ts";
import { AnswerBlock } from "./answer-block.tsx";
import { NotesSection } from "./notes-section.tsx";
import { StudyChart } from "./study-chart.tsx";

/** What a reader came for, the answer first. */
export function Overview({ feed, view }: { feed: StudyFeed; view: StudyView }) {
  const { route, href } = useApp();
  const { tables = [] } = view;
  return (
    <div class="overview">
      <AnswerBlock view={view} />
      <Warnings warnings={view.warnings} />
      <Counts view={view} />
      <Tables tables={tables.filter(({ isResult }) => isResult)} />
      {view.charts.length > 0 && (
        <section aria-labelledby="charts-title">
          <h2 id="charts-title">Charts</h2>
          <div class="charts">
            {view.charts.map((chart) => (
              <StudyChart
                key={chart.id}
                feed={feed}
                chart={chart}
                enlargeHref={href({ page: "study", query: { ...route.query, chart: chart.id } })}
              />
            ))}
          </div>
        </section>
      )}
      <Failures view={view} />
      {view.cells.rows.length > 0 && (
        <section aria-labelledby="cells-title">
          <h2 id="cells-title">{view.cells.title ?? "Cells"}</h2>
          {view.cells.note && (
            <p class="method">
              <Prose text={view.cells.note} />
            </p>
          )}
          <PlainTable label={view.cells.title ?? "Cells"} header={view.cells.header} rows={view.cells.rows} />
        </section>
      )}
      <Tables tables={tables.filter(({ isResult }) => !isResult)} />
      <NotesSection view={feed.notes} />
      <div class="columns">
        <section aria-labelledby="summary-title">
          <h2 id="summary-title">What was varied</h2>
          <Facts facts={view.summary} />
        </section>
        <section aria-labelledby="made-title">
          <h2 id="made-title">Made with</h2>
          <Facts facts={view.madeWith} />
        </section>
      </div>
      {view.reproduce.length > 0 && (
        <section aria-labelledby="again-title">
          <h2 id="again-title">Do it again</h2>
          {view.reproduce.map((text) => (
            <Command key={text} text={text} />
          ))}
        </section>
      )}
    </div>
  );
}

function Tables({ tables }: { tables: readonly TableView[] }) {
  const { href } = useApp();
  return tables.map((table) => (
    <section key={table.title} aria-label={table.title}>
      <h2>{table.title}</h2>
      {table.note && (
        <p class="method">
          <Prose text={table.note} />
        </p>
      )}
      <PlainTable
        label={table.title}
        header={table.header}
        rows={table.rows}
        linkOf={(row, column) => {
          const run = table.links?.[column]?.[row] ?? null;
          return run === null ? undefined : href({ page: "run", run });
        }}
      />
    </section>
  ));
}

function Warnings({ warnings }: Pick<StudyView, "warnings">) {
  if (warnings.length === 0) return null;
  return (
    <section class="warnings" aria-label="What to doubt">
      <ul>
        {warnings.map(({ level, text }) => (
          <li key={text} class={level}>
            <span class="mark" aria-hidden="true">
              {level === "warn" ? "!" : "i"}
            </span>
            <span>
              <span class="unseen">{level === "warn" ? "Warning: " : "Note: "}</span>
              <Prose text={text} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Counts({ view }: { view: StudyView }) {
  const { href } = useApp();
  const { total, ok, stopped, failed, cancelled, missing } = view.counts;
  const numbers = [
    { label: "runs", value: total, filter: "" },
    { label: "ok", value: ok, filter: "status=ok" },
    { label: "stopped early", value: stopped, filter: "status=stopped" },
    { label: "failed", value: failed, filter: FAILED },
    { label: "cancelled", value: cancelled, filter: "status=cancelled" },
    { label: "not run", value: missing, filter: null },
  ];
  return (
    <ul class="counts" aria-label="Runs by outcome">
      {numbers.map(({ label, value, filter }) => {
        if (value === 0 && label !== "failed" && label !== "runs") return null;
        const inside = (
          <>
            <b>{countText(value)}</b> <span>{label}</span>
          </>
        );
        return (
          <li key={label} class={label === "failed" && value > 0 ? "bad" : undefined}>
            {filter === null || value === 0 ? (
              inside
            ) : (
              <a href={href({ page: "study", query: { tab: "runs", filter } })}>{inside}</a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const SHOWN = 5;

/** Whose fault the failed runs are, and the reasons, the most frequent first. */
function Failures({ view: { id, failures, isSearch } }: { view: StudyView }) {
  const { href } = useApp();
  if (failures.length === 0) return null;
  return (
    <section aria-labelledby="failures-title">
      <h2 id="failures-title">Failures by owner</h2>
      <div class="failures">
        {failures.map(({ owner, count, reasons }) => (
          <section key={owner} aria-label={`Failures: ${owner}`}>
            <h3>
              <a href={href({ page: "study", query: { tab: "runs", filter: `owner=${owner} status!=ok` } })}>
                {owner}
              </a>{" "}
              <span class="count">{countText(count)}</span>
            </h3>
            {owner === "infrastructure" && !isSearch && <RerunButton study={id} count={count} />}
            <ul>
              {reasons.slice(0, SHOWN).map(({ reason, count: times, ids }) => (
                <li key={reason}>
                  <span class="reason">
                    {times > 1 && <b>{countText(times)} × </b>}
                    {reason}
                  </span>
                  {ids.map((id) => (
                    <a key={id} class="mono" href={href({ page: "run", run: id })}>
                      {id}
                    </a>
                  ))}
                </li>
              ))}
            </ul>
            {reasons.length > SHOWN && (
              <p class="more">
                <a
                  href={href({
                    page: "study",
                    query: { tab: "runs", filter: `owner=${owner} status!=ok`, group: "reason" },
                  })}
                >
                  and {countText(reasons.length - SHOWN)} further reasons
                </a>
              </p>
            )}
          </section>
        ))}
      </div>
    </section>
  );
}

/** Repeats what was nobody's fault, where the page may ask for it. */
function RerunButton({ study, count }: { study: string; count: number }) {
  const { source, session } = useApp();
  const [told, setTold] = useState<{ text: string; isBad: boolean } | null>(null);
  if (!source.live || !session?.canControl) return null;
  const { control } = source.live;
  const ask = () => {
    setTold({ text: "Starting …", isBad: false });
    control({ study, action: "rerun" }).then(
      () => setTold({ text: "They run again.", isBad: false }),
      (problem: Error) => setTold({ text: problem.message, isBad: true }),
    );
  };
  return (
    <p>
      <button type="button" class="button" onClick={ask}>
        Run {count === 1 ? "it" : `these ${countText(count)}`} again
      </button>{" "}
      {told && (
        <span class={told.isBad ? "bad" : "quiet-text"} role={told.isBad ? "alert" : "status"}>
          {told.text}
        </span>
      )}
    </p>
  );
}
