import type { CurvesSpec } from "../../src/plots/curves-chart.ts";
import type { ChartView, RunView } from "../../src/reporters/study-view.ts";

/** One chart a column of what runs reported along their steps, the runs over each other. */
export function seriesCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
  const names = new Set(runs.flatMap(({ run }) => Object.keys(run.series?.columns ?? {})));
  return [...names].flatMap((column) => {
    const arms = runs.flatMap(({ name, run }) => {
      const values = run.series?.columns[column];
      if (!values?.some((value) => value !== null && Number.isFinite(value))) return [];
      const mean = values.map((value) => value ?? Number.NaN);
      const none = mean.map(() => Number.NaN);
      return [{ name, steps: run.series!.step, mean, low: none, high: none, runs: [] }];
    });
    if (arms.length === 0) return [];
    const unit = runs.flatMap(({ run }) => run.metrics).find(({ name }) => name === column)?.unit;
    const isThinned = runs.some(({ run }) => run.series?.isThinned);
    const spec: CurvesSpec = {
      title: column,
      subtitle: arms.length > 1 ? "two runs, step by step" : "step by step",
      ...{ xLabel: "step", yLabel: unit ? `${column} (${unit})` : column, arms },
      notes: isThinned ? ["Some steps are left out, evenly, to keep this page small."] : [],
    };
    return [{ id: `series-${column.replaceAll(/\W+/g, "_")}`, title: column, kind: "curves", spec }];
  });
}
