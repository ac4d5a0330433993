import { importanceOf, type SearchFindings } from "../../analysis/search/analyse-search.ts";
import { isFull, lossOf } from "../../analysis/search/rank-points.ts";
import type { SearchPoint } from "../../analysis/search/search-points.ts";
import { axisLabel } from "../../design/metric.ts";
import type { BarsChart, HistoryChart, ScatterChart, ScatterPoint } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import { fileName, short } from "./chart-context.ts";
import { fenceOf, type SearchContext, tipOf } from "./search-context.ts";
import { searchSpaceCharts } from "./search-space-charts.ts";

/** The rest is a cloud: so many points of it are enough. */
const MOST_OTHERS = 300;
const MOST_LABELS = 16;

/** More dots than this are a smear. */
const MOST_POINTS = 800;

/** How a search went, what matters, and where the good points lie. */
export function searchCharts(context: SearchContext): ChartView[] {
  const { found } = context;
  if (!found.points.some(({ values }) => values.length > 0)) return [];
  const own = importanceOf(found);
  return [
    ...searchFront(context),
    ...found.objectives.flatMap((_, k) => historyOf(context, k)),
    ...importanceChartOf(context, own),
    ...searchSpaceCharts(context, own),
  ];
}

/** Every so manieth point, and those that were the best so far. */
function thinned({ points, objectives }: SearchFindings, k: number, stride: number): SearchPoint[] {
  let least = Number.POSITIVE_INFINITY;
  return points.filter((point, i) => {
    const loss = isFull(point) ? lossOf(point.values[k]!, objectives[k]!) : Number.POSITIVE_INFINITY;
    const isRecord = loss < least;
    least = Math.min(least, loss);
    return isRecord || i % stride === 0;
  });
}

function historyOf({ study, found, metrics }: SearchContext, k: number): ChartView[] {
  const { goal, metric } = found.objectives[k]!;
  const { fence, notes } = fenceOf(found, k);
  const stride = Math.ceil(found.points.length / MOST_POINTS);
  const shown = thinned(found, k, stride);
  const has = (state: SearchPoint["state"]) => found.points.some((point) => point.state === state);
  const marks = [
    "Point: mean over its seeds.",
    found.points.some(({ intervals }) => intervals[k]?.known) &&
      `Bar: 95 % interval of that mean${found.points.length > 30 ? ", of points that were best so far" : ""}.`,
    "Line: the best full result so far, which selection makes optimistic.",
    has("failed") && "Cross at the bottom: no value, since it failed.",
    (has("stopped") || has("unfinished")) && "Hollow: ended early or not done, no full result.",
    found.counts.missed > 0 && "Hollow, dashed: misses the constraints.",
  ].filter(Boolean);
  const chart: HistoryChart = {
    kind: "history",
    title: `How the search for the best ${metric} went in ${study}`,
    subtitle: `${found.points.length} points by ${found.study.search.method}; ${goal === "maximize" ? "more" : "less"} is better`,
    ...{ xLabel: "point, in the order of first results", yLabel: axisLabel(metrics[k]!), goal },
    fence: fence === null ? null : short(fence),
    points: shown.map((point) => {
      const interval = point.intervals[k];
      return {
        number: point.number,
        value: point.values.length > 0 ? short(point.values[k]!) : null,
        interval: interval?.known ? ([short(interval.low), short(interval.high)] as const) : null,
        state: point.state === "ok" && point.violation > 0 ? "missed" : point.state,
        tip: tipOf(point, found),
      };
    }),
    notes: [
      marks.join(" "),
      ...(stride > 1 ? [`Every ${stride}th point is drawn, plus every best so far.`] : []),
      ...notes,
    ],
  };
  const id = k === 0 ? "search_history" : `search_history_${fileName(metric)}`;
  return [{ id, ...chart }];
}

function importanceChartOf(
  { study, found }: SearchContext,
  { importance }: ReturnType<typeof importanceOf>,
): ChartView[] {
  if (!importance.known) return [];
  const { parameters, explained, points, clipped } = importance;
  const { metric } = found.objectives[0]!;
  const bars = parameters.map(({ share, interval }) => [
    {
      ...{ value: short(share), n: points },
      interval: interval.known ? ([short(interval.low), short(interval.high)] as const) : null,
    },
  ]);
  const chart: BarsChart = {
    kind: "bars",
    title: `Which parameters matter for ${metric} in ${study}`,
    subtitle: `Over the ${points} points with a full result`,
    xLabel: "share of the variance that goes with the parameter (ratio)",
    rows: parameters.map(({ name }) => ({ name, colour: 0 })),
    ...{ series: ["share of the variance"], panels: [{ title: "", bars }], isShared: true },
    notes: [
      `Permutation importance of a random forest on points that its trees have not seen, halved and divided by the variance: what goes with a parameter alone and together with others, so shares may add up to more than 1. Whisker: 95 % t interval over points; where it holds 0, the parameter may not matter.`,
      `The forest explains ${Math.max(0, Math.round(100 * explained))} % of the variance of points that it has not seen${explained < 0.3 ? ": little, so trust the order little" : ""}. Over the points that were tried, which a search takes mostly from where it is good.${clipped > 0 ? ` ${clipped} far worse values count as just beyond the others.` : ""}`,
    ],
  };
  return [{ id: "search_importance", ...chart }];
}

/** The first two objectives against each other, with the points that no other beats. */
function searchFront({ study, found, metrics }: SearchContext): ChartView[] {
  const { isFront, best, points, objectives } = found;
  if (!isFront || best.length === 0) return [];
  const onFront = new Set(best);
  const others = points.filter((point) => isFull(point) && !onFront.has(point));
  const stride = Math.ceil(others.length / MOST_OTHERS);
  const shown = others.filter((_, i) => i % stride === 0);
  const sorted = best.toSorted((a, b) => a.values[0]! - b.values[0]!);
  const name = (point: SearchPoint) => (onFront.has(point) ? "on the front" : "other points");
  const all = [...sorted, ...shown];
  const chart: ScatterChart = {
    kind: "scatter",
    title: `${objectives[0]!.metric} against ${objectives[1]!.metric} in ${study}`,
    subtitle: `${best.length} of ${found.chosenFrom} points are on the front${objectives.length > 2 ? `, which is of ${objectives.length} objectives` : ""}`,
    xLabel: axisLabel(metrics[0]!),
    yLabel: axisLabel(metrics[1]!),
    panels: [
      {
        title: "",
        points: all.map(
          (point): ScatterPoint => ({
            ...{
              name: name(point),
              colour: onFront.has(point) ? 0 : 1,
              x: short(point.values[0]!),
              y: short(point.values[1]!),
            },
            xInterval: onFront.has(point) ? rangeOf(point, 0) : null,
            yInterval: onFront.has(point) ? rangeOf(point, 1) : null,
            ...(onFront.has(point) ? best.length <= MOST_LABELS && { label: point.name } : { isFaint: true }),
            tip: tipOf(point, found),
          }),
        ),
        front: objectives.length === 2 ? sorted.map((_, i) => i) : [],
      },
    ],
    notes: [
      `Point: mean over seeds; ${objectives.map(({ metric, goal }) => `${goal === "maximize" ? "more" : "less"} ${metric} is better`).join(", ")}. Lines: 95 % intervals, of points on the front.${objectives.length === 2 ? " Dashed line, ringed points: the Pareto front, points that no other beats on both; intervals are not taken into account." : ""}`,
      ...(stride > 1 ? [`Of the other points every ${stride}th is drawn.`] : []),
    ],
  };
  return [{ id: "search_front", ...chart }];
}

function rangeOf({ intervals }: SearchPoint, k: number): readonly [number, number] | null {
  const interval = intervals[k]!;
  return interval.known ? [short(interval.low), short(interval.high)] : null;
}
