import { useMemo } from "preact/hooks";
import type { RunView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { RunCharts } from "../charts/run-charts.tsx";
import { OutcomeLine } from "../parts/outcome-line.tsx";
import { PlainTable } from "../parts/plain-table.tsx";
import { cellNumberText } from "../text/cell-number-text.ts";
import { valueText } from "../text/value-text.ts";

/** Several runs over each other: their curves in one chart for each series, and what they differ in. */
export function ManyRuns({ runs }: { runs: readonly RunView[] }) {
  const { href } = useApp();
  const named = useMemo(() => runs.map((run, i) => ({ name: letterOf(i), run })), [runs]);
  const header = (what: string) => [what, ...named.map(({ name }) => name)];
  const params = rowsOf(named, ({ params, seed, task, variant }) => ({
    ...{ variant, seed: seed === null ? "" : String(seed), task: task ?? "" },
    ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, valueText(value)])),
  })).filter(([, ...cells]) => new Set(cells).size > 1);
  const metrics = rowsOf(named, ({ metrics }) =>
    Object.fromEntries(
      metrics.map(({ name, value, unit }) => [
        unit === null || unit === "1" ? name : `${name} (${unit})`,
        value === null ? "" : cellNumberText(value, "metric"),
      ]),
    ),
  );
  return (
    <article class="run">
      <nav class="run-nav" aria-label="Back">
        <a href={href({ page: "study", query: { tab: "runs" } })}>← Runs</a>
      </nav>
      <h1>{runs.length} runs</h1>
      <ul class="lines overlaid">
        {named.map(({ name, run }) => (
          <li key={run.id}>
            <b>{name}</b>
            <a class="mono" href={href({ page: "run", run: run.id })}>
              {run.id}
            </a>
            <OutcomeLine run={run} isShort />
          </li>
        ))}
      </ul>
      <RunCharts runs={named} />
      <section aria-labelledby="params-title">
        <h2 id="params-title">What they differ in</h2>
        {params.length === 0 ? (
          <p class="empty">Nothing but chance.</p>
        ) : (
          <PlainTable label="Parameters" header={header("parameter")} rows={params} />
        )}
      </section>
      <section aria-labelledby="metrics-title">
        <h2 id="metrics-title">Metrics</h2>
        <PlainTable label="Metrics" header={header("metric")} rows={metrics} />
      </section>
    </article>
  );
}

function letterOf(i: number): string {
  return String.fromCharCode(65 + i);
}

/** One row per name, one cell per run. */
function rowsOf(
  named: readonly { run: RunView }[],
  factsOf: (run: RunView) => Record<string, string>,
): string[][] {
  const facts = named.map(({ run }) => factsOf(run));
  const names = new Set(facts.flatMap((fact) => Object.keys(fact)));
  return [...names].map((name) => [
    name,
    ...facts.map((fact) => (Object.hasOwn(fact, name) ? fact[name]! : "")),
  ]);
}
