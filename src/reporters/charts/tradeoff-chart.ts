import { intervalWords } from "../../analysis/estimate-arm.ts";
import { type FacetEstimate, facetEstimates } from "../../analysis/facet-estimates.ts";
import type { Design } from "../../design/design.ts";
import { axisLabel, type MetricFacts } from "../../design/metric.ts";
import type { ScatterChart, ScatterPoint } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import {
  type ChartContext,
  inReadableUnit,
  rangeOf,
  rowsOf,
  scaled,
  settingOf,
  short,
} from "./chart-context.ts";
import { find } from "./metric-charts.ts";

const MOST_POINTS = 400;

/** What an arm costs against how good it is, and which arms nothing beats on both: within each facet. */
export function costAgainstQuality(context: ChartContext): ChartView[] {
  const { design, metric, study } = context;
  const cost = costOf(context);
  if (!metric || !cost || cost.name === metric.name || design.arms.length < 2) return [];
  const [across, up] = [valuesOf(context, cost), valuesOf(context, metric)];
  const panels = design.facets
    .map((facet) => ({ title: facet, points: pointsOf(facet, across, up, design) }))
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
    subtitle: settingOf({ design, metric }),
    xLabel: axisLabel(across.facts),
    yLabel: axisLabel(up.facts),
    panels,
    notes: [
      `Point: mean over ${design.unit}s. Lines: across ${across.words}, upwards ${up.words}.${metric.goal ? " Dashed line, ringed points: the Pareto front, arms that no other beats on both (less cost is better); intervals are not taken into account." : ""}`,
      ...(metric.goal === null
        ? [`No front: the study doesn't say which way ${metric.name} is better (analysis.goal).`]
        : []),
    ],
  };
  return [{ id: "cost_against_quality", ...chart }];
}

interface AxisValues {
  facts: MetricFacts;
  groups: FacetEstimate[];
  words: string;
}

function valuesOf({ design }: ChartContext, metric: MetricFacts): AxisValues {
  const { isRate, groups } = facetEstimates(design, metric);
  const raw = groups.filter(({ values }) => values.length > 0);
  const { facts, factor } = inReadableUnit(
    metric,
    raw.flatMap(({ values }) => values),
    isRate,
  );
  return { facts, groups: scaled(raw, factor), words: intervalWords({ ...metric, isRate }, design.unit) };
}

function pointsOf(facet: string, xs: AxisValues, ys: AxisValues, design: Design): ScatterPoint[] {
  return xs.groups.flatMap((x): ScatterPoint[] => {
    const y = x.facet === facet ? find(ys.groups, facet, x.name) : undefined;
    if (!y) return [];
    return [
      {
        ...rowsOf(design, [x.name])[0]!,
        ...{ x: short(x.mean!), y: short(y.mean!) },
        ...{ xInterval: rangeOf(x), yInterval: rangeOf(y) },
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

/** Which way is better on each of two axes. */
export type Goals = readonly ["minimize" | "maximize", "minimize" | "maximize"];

/**
 * The points that no other beats: better on one axis and no worse on the other. From left to right. A point of
 * which a number is missing is on no front. O(n log n).
 */
export function paretoFront(points: readonly { x: number; y: number }[], [goalX, goalY]: Goals): number[] {
  const [signX, signY] = [goalX === "maximize" ? -1 : 1, goalY === "maximize" ? -1 : 1];
  const order = points
    .map((_, i) => i)
    .filter((i) => Number.isFinite(points[i]!.x) && Number.isFinite(points[i]!.y))
    .sort((a, b) => signX * (points[a]!.x - points[b]!.x) || signY * (points[a]!.y - points[b]!.y));
  const front: number[] = [];
  let best = Number.POSITIVE_INFINITY;
  let bestX = Number.NaN;
  for (const i of order) {
    const y = signY * points[i]!.y;
    // The same point twice is on the front twice: neither beats the other.
    if (y < best || (y === best && points[i]!.x === bestX)) {
      front.push(i);
      best = y;
      bestX = points[i]!.x;
    }
  }
  return front.sort((a, b) => points[a]!.x - points[b]!.x);
}
