import { plural } from "../../core/number-text.ts";
import { axisLabel } from "../../design/metric.ts";
import { flameOf } from "../../plots/flame-chart.ts";
import { type BoxesChart, NOTES, type SequenceChart } from "../../plots/iteration-charts.ts";
import type { ChartView } from "../study-view.ts";
import { type ChartContext, fileName, rowsOf, short } from "./chart-context.ts";

/** More panels are no picture. */
const MOST_PANELS = 4;
const MOST_ROWS = 24;

/** How the iterations of a benchmark lie, in which order they came, and where the time went. */
export function benchmarkCharts(context: ChartContext): ChartView[] {
  return [...iterationCharts(context), ...profileCharts(context)];
}

function iterationCharts({ study, design, measured }: ChartContext): ChartView[] {
  if (!measured?.metric) return [];
  const { metric } = measured;
  const arms = measured.arms.filter(({ starts }) => starts.some(({ values }) => values.length > 0));
  const starts = arms.reduce((sum, arm) => sum + arm.starts.length, 0);
  const count = arms.reduce(
    (sum, arm) => sum + arm.starts.reduce((all, { values }) => all + values.length, 0),
    0,
  );
  if (arms.length === 0 || count < 3) return [];
  const subtitle = `${plural(count, "iteration")} of ${plural(starts, "start")}`;
  const boxes: BoxesChart = {
    kind: "boxes",
    title: `Iterations: ${metric.name} in ${study}`,
    ...{ subtitle, xLabel: axisLabel(metric) },
    rows: arms.slice(0, MOST_ROWS).map((arm) => ({
      ...rowsOf(design, [arm.name])[0]!,
      values: arm.starts.flatMap(({ values }) => values.map(short)),
    })),
    notes: [`${NOTES.boxes} Iterations of one start are not independent, so arms are compared by starts.`],
  };
  const sequence: SequenceChart = {
    kind: "sequence",
    title: `In the order in which they ran: ${metric.name} in ${study}`,
    ...{ subtitle, xLabel: "iteration (start after start)", yLabel: axisLabel(metric) },
    panels: arms.slice(0, MOST_PANELS).map((arm) => ({
      title: arm.name,
      colour: rowsOf(design, [arm.name])[0]!.colour,
      starts: arm.starts.map(({ name, values }) => ({ name, values: values.map(short) })),
    })),
    notes: [
      `${NOTES.sequence} Each line is one start.`,
      ...(arms.length > MOST_PANELS ? [`The first ${MOST_PANELS} of ${arms.length} arms.`] : []),
    ],
  };
  return [
    { id: fileName(`iterations_${metric.name}`), ...boxes },
    { id: fileName(`sequence_${metric.name}`), ...sequence },
  ];
}

function profileCharts({ study, measured }: ChartContext): ChartView[] {
  const profiled = (measured?.arms ?? []).flatMap(({ name, profile }) =>
    profile ? [{ name, profile }] : [],
  );
  const [first, ...others] = profiled;
  if (!first) return [];
  return [
    { id: "profile", ...flameOf(`Where the time goes: ${first.name} in ${study}`, first.profile, null) },
    ...others.slice(0, 1).map(({ name, profile }) => ({
      id: "profile_difference",
      ...flameOf(`Where the time goes: ${name} against ${first.name}`, profile, first.profile),
    })),
  ];
}
