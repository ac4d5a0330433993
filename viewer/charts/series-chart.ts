import type { ChartView, RunView } from "../../src/reporters/study-view.ts";

/** One chart a column of what runs reported along their steps, the runs over each other. */
export function seriesCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
  const names = new Set(runs.flatMap(({ run }) => Object.keys(run.series?.columns ?? {})));
  return [...names].flatMap((column) => {
    const curves = runs.flatMap(({ name, run }, colour) => {
      const values = run.series?.columns[column];
      if (!values?.some((value) => value !== null && Number.isFinite(value))) return [];
      return [{ name, colour, x: run.series!.step, y: values.map((value) => value ?? Number.NaN) }];
    });
    if (curves.length === 0) return [];
    const unit = runs.flatMap(({ run }) => run.metrics).find(({ name }) => name === column)?.unit;
    const isThinned = runs.some(({ run }) => run.series?.isThinned);
    return [
      {
        ...{ kind: "curves", id: `series-${column.replaceAll(/\W+/g, "_")}`, title: column },
        subtitle: curves.length > 1 ? "two runs, step by step" : "step by step",
        ...{ xLabel: "step", yLabel: unit ? `${column} (${unit})` : column },
        panels: [{ title: "", curves }],
        notes: isThinned ? ["Some steps are left out at even intervals to keep this page small."] : [],
      },
    ];
  });
}
