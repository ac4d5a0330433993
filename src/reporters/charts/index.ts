import { axisLabel, type MetricFacts } from "../../design/metric.ts";
import type { CurvesChart } from "../../plots/chart.ts";
import { MOST_RUNS } from "../../plots/line-charts.ts";
import type { ChartView } from "../study-view.ts";
import { agentCharts } from "./agent-charts.ts";
import { benchmarkCharts } from "./benchmark-charts.ts";
import { type ChartContext, fileName, rowsOf, short } from "./chart-context.ts";
import { ablationDeltas, differencesOf, pairedDifferences } from "./difference-charts.ts";
import { costByArm, familyByArm, metricByArm, metricOverAxis } from "./metric-charts.ts";
import { costAgainstQuality } from "./tradeoff-chart.ts";

/** More arms than this can't be told apart by colour. */
const MOST_ARMS = 10;

const MOST_CHARTS = 14;
const MOST_OTHERS = 3;

/** Each looks at what there is and gives the charts that it can make of it; the first ones stand first. */
const makers: ((context: ChartContext) => ChartView[])[] = [
  (context) => (context.metric ? metricChart(context, context.metric) : []),
  solvedByArm,
  familyByArm,
  costByArm,
  ablationDeltas,
  differencesOf,
  pairedDifferences,
  learningCurveCharts,
  benchmarkCharts,
  costAgainstQuality,
  agentCharts,
  otherMetrics,
];

/** The charts of a report, chosen by what the study varied and measured. Each id once. */
export function chartsOf(context: ChartContext): ChartView[] {
  const seen = new Map<string, ChartView>();
  for (const make of makers) {
    for (const chart of make(context)) if (!seen.has(chart.id)) seen.set(chart.id, chart);
  }
  return [...seen.values()].slice(0, MOST_CHARTS);
}

/** Of agents on tasks, people ask first how many they solve. */
function solvedByArm(context: ChartContext): ChartView[] {
  const solved = context.metrics.find(({ name }) => name === "solved");
  return solved && context.metric?.name === "score" ? metricChart(context, solved) : [];
}

/** Studies of few metrics get a chart for each; of many, the table has them. */
function otherMetrics(context: ChartContext): ChartView[] {
  const others = context.metrics.filter(
    ({ name }) => name !== context.metric?.name && !/^(cost|exit|tokens)/i.test(name),
  );
  return others.length > MOST_OTHERS ? [] : others.flatMap((metric) => metricChart(context, metric));
}

/** Over a numeric setting values are a line; else arms stand below each other. */
export function metricChart(context: ChartContext, metric: MetricFacts): ChartView[] {
  return context.design.x === null ? metricByArm(context, metric) : metricOverAxis(context, metric);
}

/** Learning curves, where runs kept series. */
function learningCurveCharts({ curves, study, design }: ChartContext): ChartView[] {
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
