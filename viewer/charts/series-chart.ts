import type { ChartView, RunView } from "../../src/reporters/study-view.ts";

/** One chart a column of what runs reported along their steps, the runs over each other. */
export function seriesCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
  const names = new Set(runs.flatMap(({ run }) => Object.keys(run.series?.columns ?? {})));
  return [...names].flatMap((column) => {
    const curves = runs.flatMap(({ name, run }, colour) => {
      const values = run.series?.columns[column];
      if (!values?.some((value) => value !== null && Number.isFinite(value))) return [];
      const along = run.series!.columns[run.series!.axes?.[column] ?? ""] ?? run.series!.step;
      const [x, y] = [along, values].map((numbers) => numbers.map((value) => value ?? Number.NaN));
      return [{ name, colour, x: x!, y: y! }];
    });
    if (curves.length === 0) return [];
    const unit = runs.flatMap(({ run }) => run.metrics).find(({ name }) => name === column)?.unit;
    const axis = runs.map(({ run }) => run.series?.axes?.[column]).find(Boolean) ?? "step";
    const isThinned = runs.some(({ run }) => run.series?.isThinned);
    return [
      {
        ...{ kind: "curves", id: `series-${column.replaceAll(/\W+/g, "_")}`, title: column },
        subtitle: `${curves.length > 1 ? `${curves.length === 2 ? "two" : curves.length} runs, ` : ""}${axis === "step" ? "step by step" : `along ${axis}`}`,
        ...{ xLabel: axis, yLabel: unit ? `${column} (${unit})` : column },
        panels: [{ title: "", curves }],
        notes: isThinned ? ["Some steps are left out at even intervals to keep this page small."] : [],
      },
    ];
  });
}
