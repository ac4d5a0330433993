import { axisLabel } from "../../design/metric.ts";
import type { CurvesChart } from "../../plots/chart.ts";
import { MOST_RUNS } from "../../plots/line-charts.ts";
import type { ChartView } from "../study-view.ts";
import { type ChartContext, fileName, rowsOf, short } from "./chart-context.ts";

/** More arms than this can't be told apart by colour. */
const MOST_ARMS = 10;

/** Learning curves, where runs kept series. */
export function learningCurveCharts({ curves, study, design }: ChartContext): ChartView[] {
  const mixed = [...design.blocks, ...design.averaged];
  return curves.flatMap(({ metric, axis, window, arms: all, left }): ChartView[] => {
    const known = all.filter(({ runs }) => runs.length > 0);
    const arms = known.slice(0, MOST_ARMS);
    if (arms.length === 0) return [];
    const counts = [...new Set(arms.map(({ runs }) => runs.length))].sort((a, b) => a - b);
    const total = arms.reduce((sum, { runs }) => sum + runs.length, 0);
    const chart: CurvesChart = {
      kind: "curves",
      title: `Learning curves: ${metric.name} in ${study}`,
      subtitle: `${axis ?? "Steps"} ${window.from} to ${window.to}, ${counts.length > 1 ? `${counts[0]} to ${counts.at(-1)}` : counts[0]} runs per arm`,
      xLabel: axis ?? "step (count)",
      yLabel: axisLabel(metric),
      panels: [
        {
          title: "",
          curves: arms.map((arm) => ({
            ...rowsOf(design, [arm.name])[0]!,
            ...{ x: arm.steps.map(short), y: arm.mean.map(short) },
            ...{ low: arm.low.map(short), high: arm.high.map(short) },
            runs: total > MOST_RUNS ? [] : arm.runs.map((run) => run.map(short)),
          })),
        },
      ],
      notes: [
        `Thick line: mean over runs. Band: 95 % t interval of that mean, at each step on its own.${total > MOST_RUNS ? "" : " Thin lines: single runs."}`,
        ...(mixed.length > 0
          ? [
              `Each arm's line runs over all values of ${mixed.join(", ")} together; its band holds their differences too.`,
            ]
          : []),
        ...(left > 0 ? [`${left} more runs have curves that are not drawn.`] : []),
        ...(known.length > arms.length ? [`The first ${arms.length} of ${known.length} arms.`] : []),
      ],
    };
    return [{ id: fileName(`curves_${metric.name}`), ...chart }];
  });
}
