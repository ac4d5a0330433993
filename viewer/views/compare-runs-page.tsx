import { useMemo } from "preact/hooks";
import type { RunView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { RunCharts } from "../charts/run-charts.tsx";
import { compareMetrics, compareParams } from "../compare-rows.ts";
import { NameText } from "../parts/name-text.tsx";
import { Empty, Problem, Waiting } from "../parts/notice.tsx";
import { OutcomeLine } from "../parts/outcome-line.tsx";
import { Scrolled } from "../parts/scrolled.tsx";
import { splitNames } from "../route.ts";
import { useLoaded } from "../state/use-loaded.ts";
import { ManyRuns } from "./many-runs.tsx";
import { TrajectoryPair } from "./trajectory-pair.tsx";

/** Two runs side by side, or several over each other. */
export function CompareRunsPage() {
  const { source, route, href } = useApp();
  const { a = "", b = "", runs = "" } = route.query;
  const ids = runs === "" ? [a, b] : splitNames(runs);
  const { data, error } = useLoaded(
    `${route.study}\n${ids.join("\n")}`,
    { isLive: source.live !== null },
    () => Promise.all(ids.map((id) => source.run(route.study, id))),
  );
  if (error) return <Problem text={error} />;
  if (!data) return <Waiting />;
  const known = data.flatMap((run) => run ?? []);
  const [first, second] = known;
  if (!first || !second || known.length < data.length)
    return (
      <Empty title="One of these runs can't be shown">
        <p>
          Choose others in the <a href={href({ page: "study", query: { tab: "runs" } })}>table of runs</a>. A
          large report holds the details of some runs only.
        </p>
      </Empty>
    );
  return known.length === 2 ? <TwoRuns a={first} b={second} /> : <ManyRuns runs={known} />;
}

function TwoRuns({ a, b }: { a: RunView; b: RunView }) {
  const { href } = useApp();
  const params = useMemo(() => compareParams(a, b), [a, b]);
  const metrics = useMemo(() => compareMetrics(a, b), [a, b]);
  const named = useMemo(
    () => [
      { name: "A", run: a },
      { name: "B", run: b },
    ],
    [a, b],
  );
  return (
    <article class="run">
      <nav class="run-nav" aria-label="Back">
        <a href={href({ page: "study", query: { tab: "runs" } })}>← Runs</a>
        <span class="grow" />
        <a class="button" href={href({ page: "compare-runs", query: { a: b.id, b: a.id } })}>
          Swap A and B
        </a>
      </nav>
      <h1>Two runs</h1>
      <div class="columns sides">
        {[a, b].map((run, i) => (
          <section key={run.id} aria-label={i === 0 ? "Run A" : "Run B"}>
            <p class="eyebrow">{i === 0 ? "A" : "B"}</p>
            <p>
              <a class="mono" href={href({ page: "run", run: run.id })}>
                {run.id}
              </a>
            </p>
            <OutcomeLine run={run} isShort />
          </section>
        ))}
      </div>
      {a.trajectories && b.trajectories && (
        <TrajectoryPair a={a.trajectories.shown} b={b.trajectories.shown} />
      )}
      <div class="columns">
        <section aria-labelledby="params-title">
          <h2 id="params-title">Parameters</h2>
          <Scrolled label="Parameters">
            <table class="plain compared">
              <thead>
                <tr>
                  <th scope="col">parameter</th>
                  <th scope="col">A</th>
                  <th scope="col">B</th>
                </tr>
              </thead>
              <tbody>
                {params.map((row) => (
                  <tr key={row.name} class={row.isDifferent ? "different" : undefined}>
                    <th scope="row">
                      <NameText text={row.name} />
                      {row.isDifferent && <span class="differs"> differs</span>}
                    </th>
                    <td>{row.a ? <NameText text={row.a} /> : <span class="none">–</span>}</td>
                    <td>{row.b ? <NameText text={row.b} /> : <span class="none">–</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolled>
        </section>
        <section aria-labelledby="metrics-title">
          <h2 id="metrics-title">Metrics</h2>
          <Scrolled label="Metrics">
            <table class="plain compared">
              <thead>
                <tr>
                  <th scope="col">metric</th>
                  <th scope="col" class="number">
                    A
                  </th>
                  <th scope="col" class="number">
                    B
                  </th>
                  <th scope="col" class="number">
                    B − A
                  </th>
                  <th scope="col">unit</th>
                </tr>
              </thead>
              <tbody>
                {metrics.map((row) => (
                  <tr key={row.name} class={row.isDifferent ? undefined : "same"}>
                    <th scope="row">
                      <NameText text={row.name} />
                    </th>
                    <td class="number">{row.a}</td>
                    <td class="number">{row.b}</td>
                    <td class="number">{row.difference}</td>
                    <td class="short">{row.unit}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolled>
        </section>
      </div>
      <RunCharts runs={named} />
    </article>
  );
}
