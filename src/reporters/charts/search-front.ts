import { isFull } from "../../analysis/search/rank-points.ts";
import type { SearchPoint } from "../../analysis/search/search-points.ts";
import { axisLabel } from "../../design/metric.ts";
import type { ScatterChart, ScatterPoint } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import { short } from "./chart-context.ts";
import { type SearchContext, tipOf } from "./search-context.ts";

/** The rest is a cloud: so many points of it are enough. */
const MOST_OTHERS = 300;
const MOST_LABELS = 16;

/** The first two objectives against each other, with the points that no other beats. */
export function searchFront({ study, found, metrics }: SearchContext): ChartView[] {
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
