import type { MetricFacts } from "../../design/metric.ts";
import type { ChartView } from "../study-view.ts";
import { agentCharts } from "./agent-charts.ts";
import type { ChartContext } from "./chart-context.ts";
import { learningCurveCharts } from "./curve-charts.ts";
import { ablationDeltas, differencesOf, pairedDifferences } from "./difference-charts.ts";
import { costByArm, familyByArm, metricByArm, metricOverAxis } from "./metric-charts.ts";
import { costAgainstQuality } from "./tradeoff-chart.ts";

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
