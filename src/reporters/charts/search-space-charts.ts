import type { importanceOf } from "../../analysis/search/analyse-search.ts";
import { type ParameterColumn, parameterColumns } from "../../analysis/search/parameter-columns.ts";
import { partialDependence } from "../../analysis/search/partial-dependence.ts";
import { isFull, lossOf } from "../../analysis/search/rank-points.ts";
import type { SearchPoint } from "../../analysis/search/search-points.ts";
import { fixedText } from "../../core/number-text.ts";
import { axisLabel } from "../../design/metric.ts";
import type { ContourChart, ParallelChart, ParameterAxis, RampText, SliceChart } from "../../plots/chart.ts";
import type { ChartView } from "../study-view.ts";
import { short } from "./chart-context.ts";
import { fenceOf, type SearchContext, tipOf } from "./search-context.ts";

/** So few values of a number are marked themselves. */
const FEW_VALUES = 6;
const MOST_AXES = 12;
const MOST_PANELS = 9;
const MOST_LINES = 400;
/** So many of the best are drawn thick. */
const BEST_LINES = 3;

/** Parallel coordinates, slices and the two most important parameters against each other, for the first objective. */
export function searchSpaceCharts(context: SearchContext, own: ReturnType<typeof importanceOf>): ChartView[] {
  const { found } = context;
  const points = found.points.filter(({ values }) => values.length > 0);
  const order = own.importance.known ? own.importance.parameters.map(({ name }) => name) : [];
  const placeOf = ({ name }: ParameterColumn) => (order.includes(name) ? order.indexOf(name) : order.length);
  const columns = parameterColumns(found.study.search.space, points).sort((a, b) => placeOf(a) - placeOf(b));
  if (columns.length === 0 || points.length < 2) return [];
  const shares = rankShares(points.map(({ values }) => lossOf(values[0]!, found.objectives[0]!)));
  const chosen = someOf(points, shares, found.best[0]);
  const pick = <T>(values: readonly T[]) => chosen.map((i) => values[i]!);
  const drawn: Drawn = {
    context,
    points: pick(points),
    columns: columns.map((column) => ({ ...column, values: pick(column.values) })),
    shares: pick(shares),
    ramp: rampOf(points, context),
    notes:
      chosen.length < points.length
        ? [
            `${chosen.length} of ${points.length} points: half of them the best, the others spread evenly over the rest.`,
          ]
        : [],
  };
  return [parallelOf(drawn), slicesOf(drawn), ...contourOf(drawn, own)];
}

interface Drawn {
  context: SearchContext;
  points: SearchPoint[];
  /** The most important first. */
  columns: ParameterColumn[];
  shares: number[];
  ramp: RampText;
  /** What is left out. */
  notes: string[];
}

function parallelOf({ context, points, columns, shares, ramp, notes: left }: Drawn): ChartView {
  const { study, found, metrics } = context;
  const shown = columns.slice(0, MOST_AXES);
  const { fence, notes } = fenceOf(found, 0);
  const clip = (value: number) =>
    fence === null ? value : (found.objectives[0]!.goal === "maximize" ? Math.max : Math.min)(value, fence);
  const results = points.map(({ values }) => clip(values[0]!));
  const best = new Set(found.best.slice(0, BEST_LINES));
  const chart: ParallelChart = {
    kind: "parallel",
    title: `Points of ${study} and their ${metrics[0]!.name}`,
    subtitle: `One line per point; ${found.objectives[0]!.goal === "maximize" ? "more" : "less"} is better`,
    axes: [
      ...shown.map(axisOf),
      {
        ...{ name: metrics[0]!.name, kind: "number", scale: "linear", labels: [], hasAbsent: false },
        domain: [Math.min(...results), Math.max(...results)],
      },
    ],
    lines: points.map((_, i) => ({
      values: [
        ...shown.map(({ values }) => (values[i] === null ? null : short(values[i]!))),
        short(results[i]!),
      ],
      ...{ share: short(shares[i]!), isBest: best.has(points[i]!), tip: tipOf(points[i]!, found) },
    })),
    ramp,
    notes: [
      `Colour: rank of ${metrics[0]!.name} among the points. Thick: the best ${best.size === 1 ? "point" : `${best.size} points`}.${shown.some(({ values }) => values.includes(null)) ? " Inactive: the parameter has no part in the point." : ""}${columns.length > shown.length ? ` The ${shown.length} most important of ${columns.length} parameters.` : ""}`,
      ...left,
      ...notes,
    ],
  };
  return { id: "search_parallel", ...chart };
}

function slicesOf({ context, points, columns, notes: left }: Drawn): ChartView {
  const { study, found, metrics } = context;
  const shown = columns.slice(0, MOST_PANELS);
  const { fence, notes } = fenceOf(found, 0);
  const best = found.best[0];
  const chart: SliceChart = {
    kind: "slice",
    title: `${metrics[0]!.name} against each parameter in ${study}`,
    subtitle: `${points.length} points; ${found.objectives[0]!.goal === "maximize" ? "more" : "less"} is better`,
    ...{ yLabel: axisLabel(metrics[0]!), goal: found.objectives[0]!.goal },
    fence: fence === null ? null : short(fence),
    panels: shown.map((column) => ({
      axis: axisOf(column),
      values: column.values.map((value) => (value === null ? null : short(value))),
    })),
    points: points.map((point) => ({
      ...{ value: short(point.values[0]!), isFull: isFull(point), isBest: point === best },
      tip: tipOf(point, found),
    })),
    notes: [
      `Point: mean over seeds; the other parameters differ from point to point, so a pattern here is an association.${points.every(isFull) ? "" : " Hollow: no full result, or misses the constraints."}${columns.length > shown.length ? ` The ${shown.length} most important of ${columns.length} parameters.` : ""}`,
      ...left,
      ...notes,
    ],
  };
  return { id: "search_slices", ...chart };
}

function contourOf(
  { context, points, columns, shares, ramp, notes: left }: Drawn,
  own: ReturnType<typeof importanceOf>,
): ChartView[] {
  const { study, found, metrics } = context;
  if (!own.importance.known || own.columns.length < 2) return [];
  const { forest, parameters, explained } = own.importance;
  const [x, y] = parameters
    .slice(0, 2)
    .map(({ name }) => own.columns.findIndex((column) => column.name === name)) as [number, number];
  const { across, up, losses } = partialDependence(forest, [x, y], own.columns);
  const field = rankShares(losses.flat());
  const at = (name: string) => columns.find((column) => column.name === name)!;
  const [xs, ys] = [at(own.columns[x]!.name), at(own.columns[y]!.name)];
  const best = found.best[0];
  const chart: ContourChart = {
    kind: "contour",
    title: `${xs.name} and ${ys.name}, the parameters that matter most for ${metrics[0]!.name} in ${study}`,
    subtitle: `${points.length} points; ${found.objectives[0]!.goal === "maximize" ? "more" : "less"} is better`,
    ...{ x: axisOf(xs), y: axisOf(ys), ramp },
    cells: {
      across: across.map(shortOrNull),
      up: up.map(shortOrNull),
      shares: losses.map((row, r) => row.map((_, c) => Number(fixedText(field[r * across.length + c]!, 3)))),
    },
    points: points.map((point, i) => ({
      ...{ x: shortOrNull(xs.values[i]!), y: shortOrNull(ys.values[i]!), share: short(shares[i]!) },
      ...{ isFull: isFull(point), isBest: point === best, tip: tipOf(point, found) },
    })),
    notes: [
      `Field: what a random forest expects there, averaged over the other parameters of the points, coloured by rank within the field; it explains ${Math.max(0, Math.round(100 * explained))} % of what it has not seen, and where no point is it guesses. Circle: a point that was tried, by its own rank; ringed: the best.${points.every(isFull) ? "" : " White: no full result, or misses the constraints."}`,
      ...left,
    ],
  };
  return [{ id: "search_contour", ...chart }];
}

function axisOf({ name, kind, scale, domain, labels, values }: ParameterColumn): ParameterAxis {
  const distinct = [...new Set(values)].filter((value) => value !== null).sort((a, b) => a - b);
  return {
    ...{ name, kind, scale, labels, hasAbsent: values.includes(null) },
    domain: [short(domain[0]), short(domain[1])],
    ...(kind === "number" && distinct.length <= FEW_VALUES && { ticks: distinct }),
  };
}

function shortOrNull(value: number | null): number | null {
  return value === null ? null : short(value);
}

/** From 0, the worst, to 1, the best, by rank; equals share the middle of theirs. */
function rankShares(losses: readonly number[]): number[] {
  const sorted = losses.toSorted((a, b) => a - b);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  for (const [i, loss] of sorted.entries()) {
    if (!first.has(loss)) first.set(loss, i);
    last.set(loss, i);
  }
  return losses.map((loss) => 1 - (first.get(loss)! + last.get(loss)!) / 2 / Math.max(1, losses.length - 1));
}

function rampOf(points: readonly SearchPoint[], { found, metrics }: SearchContext): RampText {
  const objective = found.objectives[0]!;
  const sorted = points
    .map(({ values }) => values[0]!)
    .sort((a, b) => lossOf(b, objective) - lossOf(a, objective));
  return {
    label: `${metrics[0]!.name}, by rank`,
    ...{
      worst: short(sorted[0]!),
      middle: short(sorted[Math.floor(sorted.length / 2)]!),
      best: short(sorted.at(-1)!),
    },
  };
}

/** All, or half of what can be drawn from the best and half from the others; the very best is always there. */
function someOf(
  points: readonly SearchPoint[],
  shares: readonly number[],
  best: SearchPoint | undefined,
): number[] {
  const indices = points.map((_, i) => i);
  if (indices.length <= MOST_LINES) return indices;
  const order = indices.toSorted((a, b) => shares[b]! - shares[a]!);
  const rest = order.slice(MOST_LINES / 2);
  const stride = Math.ceil(rest.length / (MOST_LINES / 2));
  const chosen = new Set([...order.slice(0, MOST_LINES / 2), ...rest.filter((_, i) => i % stride === 0)]);
  if (best) chosen.add(points.indexOf(best));
  return indices.filter((i) => chosen.has(i));
}
