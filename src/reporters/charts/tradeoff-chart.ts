import { type UnitValues, unitValues } from "../../analysis/report/arm-values.ts";
import { type EstimateKind, estimateKind, estimateOf } from "../../analysis/report/estimate.ts";
import { axisLabel, type MetricFacts } from "../../analysis/report/metric-facts.ts";
import { paretoFront } from "../../analysis/report/pareto.ts";
import type { ScatterChart, ScatterPoint } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import { type ChartContext, inReadableUnit, scaled, settingOf, short } from "./chart-context.ts";
import { find } from "./metric-charts.ts";

const MOST_POINTS = 400;

/** What an arm costs against how good it is, and which arms nothing beats on both: within each facet. */
export function costAgainstQuality(context: ChartContext): ChartView[] {
  const { layout, metric, study } = context;
  const cost = costOf(context);
  if (!metric || !cost || cost.name === metric.name || layout.arms.length < 2) return [];
  const [across, up] = [valuesOf(context, cost), valuesOf(context, metric)];
  const panels = layout.facets
    .map((facet) => ({ title: facet, points: pointsOf(facet, across, up, layout.arms) }))
    .filter(({ points }) => points.length > 1)
    .map(({ title, points }) => ({
      ...{ title, points },
      front: metric.goal ? paretoFront(points, ["minimize", metric.goal]) : [],
    }));
  const total = panels.reduce((sum, { points }) => sum + points.length, 0);
  if (total === 0 || total > MOST_POINTS) return [];
  const chart: ScatterChart = {
    kind: "scatter",
    title: `${cost.name} against ${metric.name} in ${study}`,
    subtitle: settingOf({ layout, metric }),
    xLabel: axisLabel(across.facts),
    yLabel: axisLabel(up.facts),
    panels,
    notes: [
      `Point: mean over ${layout.unit}s. Lines: across ${across.kind.words}, upwards ${up.kind.words}.${metric.goal ? " Dashed line, ringed points: the Pareto front, arms that no other beats on both (less cost is better); intervals are not taken into account." : ""}`,
      ...(metric.goal === null
        ? [`No front: nobody said which way ${metric.name} is better (analysis.goal).`]
        : []),
    ],
  };
  return [{ id: "cost_against_quality", ...chart }];
}

function valuesOf({ records, layout }: ChartContext, metric: MetricFacts) {
  const raw = unitValues(records, layout, metric.name).filter(({ values }) => values.length > 0);
  const { facts, factor } = inReadableUnit(
    metric,
    raw.flatMap(({ values }) => values),
  );
  const groups = scaled(raw, factor);
  return { facts, groups, kind: { ...estimateKind(groups, layout.unit), range: metric.range } };
}

interface AxisValues {
  groups: readonly UnitValues[];
  kind: EstimateKind;
}

function pointsOf(facet: string, xs: AxisValues, ys: AxisValues, arms: readonly string[]): ScatterPoint[] {
  const range = (interval: readonly [number, number] | null) =>
    interval ? ([short(interval[0]), short(interval[1])] as const) : null;
  return xs.groups.flatMap((x): ScatterPoint[] => {
    const y = x.facet === facet ? find(ys.groups, facet, x.arm) : undefined;
    if (!y) return [];
    const [across, up] = [estimateOf(x, xs.kind), estimateOf(y, ys.kind)];
    return [
      {
        ...{ name: x.arm, colour: arms.indexOf(x.arm) },
        ...{ x: short(across.mean), y: short(up.mean) },
        ...{ xInterval: range(across.interval), yInterval: range(up.interval) },
      },
    ];
  });
}

function costOf({ metrics }: ChartContext): MetricFacts | undefined {
  const costs = metrics.filter(({ name }) => /(^|_)cost(_|$)/i.test(name));
  const order = [/^cost_usd$/i, /^cost_mean/i, /^cost$/i, /^cost_(total|per)/i, /./];
  return order
    .map((pattern) => costs.find(({ name }) => pattern.test(name)))
    .find((found) => found !== undefined);
}
