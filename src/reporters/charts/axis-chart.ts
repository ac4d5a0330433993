import { intervalWords } from "../../analysis/estimate-arm.ts";
import { axisEstimates, type FacetEstimate } from "../../analysis/facet-estimates.ts";
import { axisLabel, type MetricFacts } from "../../design/metric.ts";
import type { Curve, CurvesChart } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import {
  type ChartContext,
  fileName,
  inReadableUnit,
  rowsOf,
  scaled,
  settingOf,
  short,
  shownArms,
} from "./chart-context.ts";

/** From this ratio of the largest value to the smallest, an axis is logarithmic. */
const LOG_RATIO = 20;

/** One metric over a numeric setting: a line with its band for each arm; where the arms are the values, one line. */
export function metricOverAxis({ design, study }: ChartContext, metric: MetricFacts): ChartView[] {
  const { x, by } = design;
  if (x === null) return [];
  const isArms = by.includes(x);
  const { isRate, groups } = axisEstimates(design, metric);
  const raw = groups.filter(({ mean, x: at }) => mean !== null && at !== null);
  if (raw.length === 0) return [];
  const { facts, factor } = inReadableUnit(
    metric,
    raw.flatMap(({ values }) => values),
    isRate,
  );
  const found = scaled(raw, factor);
  const { arms, notes } = shownArms(design);
  const panels = design.facets
    .map((title) => {
      const here = found.filter(({ facet }) => facet === title);
      const curves = isArms
        ? [curveOf({ name: metric.name, colour: 0 }, here)]
        : rowsOf(design, arms).map((arm) =>
            curveOf(
              arm,
              here.filter(({ name }) => name === arm.name),
            ),
          );
      return { title, curves: curves.filter((curve) => curve.x.length > 0) };
    })
    .filter(({ curves }) => curves.length > 0);
  const xs = found.map((group) => group.x!);
  const isLog = spans(xs);
  // A band that reaches zero has no place on a logarithmic axis.
  const ys = found.flatMap(({ mean, interval }) => [mean!, ...(interval.known ? [interval.low] : [])]);
  const others = by.filter((name) => name !== x);
  const chart: CurvesChart = {
    kind: "curves",
    title: `${metric.name} over ${x}${others.length > 0 ? ` by ${others.join(", ")}` : ""} in ${study}`,
    subtitle: settingOf({ design, metric, x }),
    xLabel: x,
    yLabel: axisLabel(facts),
    xScale: isLog ? "log" : "linear",
    ...(isLog && spans(ys) && { yScale: "log" }),
    hasDots: true,
    panels,
    notes: [
      `Dot: mean over ${design.unit === "setting" ? "run" : design.unit}s. Band: ${intervalWords({ isRate }, design.unit === "setting" ? "run" : design.unit)}, at each ${x} on its own; none where one value shows no spread.`,
      ...notes,
    ],
  };
  return [{ id: fileName(`${metric.name}_over_${x}`), ...chart }];
}

function spans(values: readonly number[]): boolean {
  return Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) >= LOG_RATIO;
}

function curveOf(arm: { name: string; colour: number }, groups: readonly FacetEstimate[]): Curve {
  const ordered = groups.toSorted((a, b) => a.x! - b.x!);
  return {
    ...arm,
    x: ordered.map((group) => group.x!),
    y: ordered.map(({ mean }) => short(mean!)),
    low: ordered.map(({ interval }) => (interval.known ? short(interval.low) : Number.NaN)),
    high: ordered.map(({ interval }) => (interval.known ? short(interval.high) : Number.NaN)),
  };
}
