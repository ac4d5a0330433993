import { flameOf } from "../../src/plots/flame-chart.ts";
import { NOTES } from "../../src/plots/iteration-charts.ts";
import type { ChartView, RunView } from "../../src/reporters/study-view.ts";

/** Where the time of a run went; of two, what the second spends more and less time on; and what runs used meanwhile. */
export function measuredCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
  const profiled = runs.flatMap(({ name, run }) => (run.profile ? [{ name, profile: run.profile }] : []));
  const [first, second] = profiled;
  const flames: ChartView[] = !first
    ? []
    : profiled.length === 2
      ? [
          {
            id: "profile",
            ...flameOf(
              `Where the time goes: ${second!.name} against ${first.name}`,
              second!.profile,
              first.profile,
            ),
          },
        ]
      : [{ id: "profile", ...flameOf("Where the time goes", first.profile, null) }];
  const used = [
    { key: "cpuPercent", title: "Processor use", yLabel: "cpu (percent of one core)" },
    { key: "rssMb", title: "Memory", yLabel: "rss (MB)" },
  ] as const;
  const resources = used.flatMap(({ key, title, yLabel }): ChartView[] => {
    const curves = runs.flatMap(({ name, run }, colour) =>
      run.resources ? [{ name, colour, x: run.resources.seconds, y: run.resources[key] }] : [],
    );
    if (curves.length === 0) return [];
    return [
      {
        ...{ kind: "curves", id: `resources-${key}`, title, subtitle: "With all that it started" },
        ...{ xLabel: "time (s)", yLabel, panels: [{ title: "", curves }], notes: [] },
      },
    ];
  });
  return [...flames, ...resources];
}

/** Iterations are tries of one thing, drawn in their order; steps are the course of a run. */
export function seriesCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
  return runs.every(({ run }) => run.stepsAre === "iterations") ? iterationCharts(runs) : stepCharts(runs);
}

function iterationCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
  const names = new Set(runs.flatMap(({ run }) => Object.keys(run.series?.columns ?? {})));
  return [...names].flatMap((column): ChartView[] => {
    const panels = runs.flatMap(({ name, run }, colour) => {
      const values = (run.series?.columns[column] ?? []).filter((value) => value !== null);
      return new Set(values).size > 1 ? [{ name, colour, values }] : [];
    });
    if (panels.length === 0) return [];
    const unit = runs.flatMap(({ run }) => run.metrics).find(({ name }) => name === column)?.unit;
    const label = unit ? `${column} (${unit})` : column;
    const id = column.replaceAll(/\W+/g, "_");
    return [
      {
        ...{ kind: "sequence", id: `series-${id}`, title: column, subtitle: "Iteration by iteration" },
        ...{ xLabel: "iteration", yLabel: label },
        panels: panels.map(({ name, colour, values }) => ({
          ...{ title: panels.length > 1 ? name : "", colour, starts: [{ name: "", values }] },
        })),
        notes: [NOTES.sequence],
      },
      {
        ...{ kind: "boxes", id: `boxes-${id}`, title: column, subtitle: "How its iterations lie" },
        ...{ xLabel: label, rows: panels },
        notes: [NOTES.boxes],
      },
    ];
  });
}

/** One chart a column of what runs reported along their steps, the runs over each other. */
function stepCharts(runs: readonly { name: string; run: RunView }[]): ChartView[] {
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
