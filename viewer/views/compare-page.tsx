import type { StudiesView, StudyCard } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { ChartFigure } from "../charts/chart-figure.tsx";
import { Problem, Waiting } from "../parts/notice.tsx";
import { PlainTable } from "../parts/plain-table.tsx";
import { Progress } from "../parts/progress.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useLoaded } from "../state/use-loaded.ts";

/** Two studies side by side. */
export function ComparePage() {
  const { source, route, href } = useApp();
  const { a = "", b = "" } = route.query;
  const { data, error } = useLoaded(
    `${a}\n${b}`,
    { isLive: source.live !== null },
    async () => source.comparison ?? source.live?.compare(a, b),
  );
  if (error) return <Problem text={error} />;
  if (!data) return <Waiting />;
  return (
    <article class="comparison">
      {source.live && (
        <nav class="run-nav" aria-label="Back">
          <a href={href({ page: "list" })}>← Studies</a>
          <span class="grow" />
          <a class="button" href={href({ page: "compare", query: { a: b, b: a } })}>
            Swap A and B
          </a>
        </nav>
      )}
      <TwoStudies view={data} />
    </article>
  );
}

function TwoStudies({ view }: { view: StudiesView }) {
  return (
    <>
      <h1>Two studies</h1>
      <div class="columns sides">
        <Side letter="A" card={view.a} />
        <Side letter="B" card={view.b} />
      </div>
      <section aria-labelledby="comparisons-title">
        <h2 id="comparisons-title">What changed in the results</h2>
        {view.comparisons.length === 0 && (
          <p class="empty">
            Nothing to compare: the two studies share no metric, or have too few runs of it.
          </p>
        )}
        {view.comparisons.map(({ metric, unit, sentence, method, warnings }) => (
          <section key={metric} class="answer small" aria-label={metric}>
            <p class="eyebrow">{unit ? `${metric} (${unit})` : metric}</p>
            <p class="sentence">{sentence}</p>
            <p class="method">{method}</p>
            {warnings.length > 0 && (
              <ul class="others">
                {warnings.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </section>
      <section aria-labelledby="changes-title">
        <h2 id="changes-title">What differs in their setup</h2>
        {view.changes.length === 0 ? (
          <p class="empty">Nothing: same study file, same program.</p>
        ) : (
          <PlainTable
            label="Differences"
            header={["what", "A", "B"]}
            rows={view.changes.map(({ what, a, b }) => [what, a, b])}
          />
        )}
      </section>
      {view.charts.length > 0 && (
        <section aria-labelledby="charts-title">
          <h2 id="charts-title">Charts</h2>
          <div class="charts">
            {view.charts.map((chart) => (
              <ChartFigure key={chart.id} chart={chart} />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

function Side({ letter, card }: { letter: string; card: StudyCard }) {
  const { source, href } = useApp();
  return (
    <section aria-label={`Study ${letter}`}>
      <p class="eyebrow">
        {letter} <StateBadge card={card} />
      </p>
      <p class="side-name">
        {source.live ? <a href={href({ page: "study", study: card.id })}>{card.name}</a> : card.name}
      </p>
      <Progress card={card} />
    </section>
  );
}
