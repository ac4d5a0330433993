import { useMemo } from "preact/hooks";
import type { RunView } from "../../src/reporters/study-view.ts";
import { ChartFigure } from "./chart-figure.tsx";
import { measuredCharts, seriesCharts } from "./series-chart.ts";

/** What runs went through, the runs over each other or beside each other: their steps or iterations, and what was measured. */
export function RunCharts({ runs }: { runs: readonly { name: string; run: RunView }[] }) {
  const charts = useMemo(() => ({ series: seriesCharts(runs), measured: measuredCharts(runs) }), [runs]);
  const isBenchmark = runs.every(({ run }) => run.stepsAre === "iterations");
  const sections = [
    { id: "series", title: isBenchmark ? "Iterations" : "Step by step", charts: charts.series },
    { id: "measured", title: "Time and resources", charts: charts.measured },
  ];
  return (
    <>
      {sections
        .filter((section) => section.charts.length > 0)
        .map(({ id, title, charts: shown }) => (
          <section key={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            <div class="charts">
              {shown.map((chart) => (
                <ChartFigure key={chart.id} chart={chart} />
              ))}
            </div>
          </section>
        ))}
    </>
  );
}
