import { numberText } from "../core/number-text.ts";
import type { ContourChart, ParallelChart, ParameterAxis, SliceChart } from "./chart.ts";
import { figure } from "./figure.ts";
import { dot, drawing, group, label, line, type Mark, type Point, spread } from "./marks.ts";
import { fenced } from "./point-charts.ts";
import { type Axis, placeAxis } from "./scale.ts";
import { element } from "./svg.ts";
import { HALO, INK, lookOf, MUTED, PAPER, RULE, rampColour, SIZES, VERDICTS } from "./theme.ts";

/** More names than this can't be read. */
const MOST_LABELS = 24;

function axisOf({ name, kind, scale, domain, labels, hasAbsent, ticks }: ParameterAxis): Axis {
  const every = Math.ceil(labels.length / MOST_LABELS);
  return {
    label: `${name}${scale === "log" ? " (log scale)" : ""}`,
    ...(hasAbsent && { absent: "inactive" }),
    ...(kind === "category"
      ? { names: labels.map((text, i) => (i % every === 0 ? text : "")) }
      : { kind: scale, domain, fit: "exact", ...(ticks && { ticks }) }),
    format: (value) => numberText(value, 3),
  };
}

const JITTER = 18;

export function drawSlices({ panels, points, fence, goal, yLabel, ...text }: SliceChart): string {
  const [full, best] = [lookOf(0).colour, VERDICTS.better];
  const shown = fenced(fence, goal);
  const rankOf = ({ isBest, isFull }: SliceChart["points"][number]) => (isBest ? 2 : isFull ? 1 : 0);
  const order = points.map((_, k) => k).sort((a, b) => rankOf(points[a]!) - rankOf(points[b]!));
  return figure(
    text,
    panels.map(({ axis, values }) => {
      const jitter = axis.kind === "category" ? JITTER : axis.ticks ? JITTER / 2 : 0;
      return {
        x: {
          ...axisOf(axis),
          inset: axis.kind === "category" ? (axis.hasAbsent ? 26 : 0) : axis.hasAbsent ? 26 : 10,
        },
        y: { label: yLabel, fit: "air", inset: 6 },
        marks: order.map((k) => {
          const { value, isFull, isBest, tip } = points[k]!;
          const colour = isBest ? best : full;
          return dot(values[k]!, shown(value), {
            ...{
              class: isBest ? "point best" : "point",
              dx: (spread(k) - 0.5) * jitter,
              r: isBest ? 5 : 3.2,
              tip,
            },
            ...(isFull
              ? { fill: colour, "fill-opacity": isBest ? 1 : 0.5 }
              : { fill: PAPER, stroke: colour, "stroke-width": 1.3 }),
          });
        }),
      };
    }),
    {
      ...{ height: 158, across: 3, isJoined: true, sharedY: true },
      legend: [
        { name: "point", look: { colour: full, dash: undefined }, isBox: true },
        { name: "best", look: { colour: best, dash: undefined }, isBox: true },
      ],
    },
  );
}

export function drawContour({ x, y, cells, points, ramp, ...text }: ContourChart): string {
  const inset = 12;
  const inOrder = points.toSorted((a, b) => Number(a.isBest) - Number(b.isBest) || a.share - b.share);
  return figure(
    text,
    [
      {
        x: { ...axisOf(x), inset, isGridless: true },
        y: { ...axisOf(y), inset, isGridless: true, isUpward: true },
        marks: [
          field(cells),
          ...inOrder.map(({ isBest, isFull, share, tip, ...point }) =>
            dot(point.x, point.y, {
              ...{ class: isBest ? "point best" : "point", r: isBest ? 7 : 4, tip },
              ...{ fill: isFull ? rampColour(share) : PAPER, "stroke-width": isBest ? 2 : 1 },
              stroke: isBest ? INK : isFull ? PAPER : MUTED,
            }),
          ),
        ],
      },
    ],
    { height: 330, ramp },
  );
}

/** A cell of colour around each place; the outer ones reach the frame. */
function field({ across, up, shares }: ContourChart["cells"]): Mark {
  return drawing(({ box, x, y }) => {
    const { left, top, width, height } = box;
    const columns = edgesOf(
      across.map((value) => x(value)),
      [left, left + width],
    );
    const rows = edgesOf(
      up.map((value) => y(value)),
      [top + height, top],
    );
    const rects = shares.flatMap((row, r) =>
      row.map((share, c) =>
        element("rect", {
          ...{ x: columns[c]!, y: rows[r + 1]!, width: columns[c + 1]! - columns[c]! },
          ...{ height: rows[r]! - rows[r + 1]!, fill: rampColour(share), "fill-opacity": 0.55 },
        }),
      ),
    );
    return (
      element("g", { class: "field", "shape-rendering": "crispEdges" }, ...rects) +
      element("rect", { x: left, y: top, width, height, fill: "none", stroke: RULE })
    );
  });
}

/** Half way between neighbours. */
function edgesOf(centres: readonly number[], [from, to]: readonly [number, number]): number[] {
  const inner = centres.slice(1).map((at, i) => (at + centres[i]!) / 2);
  return [from, ...inner, to];
}

const TALL = 290;

/** Each axis has a scale of its own, so the panel's units are its pixels. */
export function drawParallel({ axes, lines, ramp, ...text }: ParallelChart): string {
  const width = Math.max(760, axes.length * 92 + 60);
  const step = axes.length > 1 ? (width - 142) / (axes.length - 1) : 0;
  const scales = axes.map((axis) =>
    placeAxis(axisOf(axis), axis.domain, [0, TALL], { widthOf: () => 16, every: 60, gap: 26 }),
  );
  const isWide = step > 130;
  return figure(
    text,
    [
      {
        x: {
          domain: [0, Math.max(1, axes.length - 1) * Math.max(1, step)],
          fit: "exact",
          isBare: true,
          inset: 42,
        },
        y: { domain: [0, TALL], fit: "exact", isBare: true },
        marks: [
          ...lines
            .toSorted((a, b) => Number(a.isBest) - Number(b.isBest) || a.share - b.share)
            .map(({ values, share, isBest, tip }) =>
              line(
                values.map((value, i): Point => [i * step, scales[i]!(value)]),
                {
                  ...{ class: isBest ? "line best" : "line", stroke: rampColour(share), tip },
                  ...{ "stroke-width": isBest ? 3 : 1.2, "stroke-opacity": isBest ? 1 : 0.25 + 0.5 * share },
                },
              ),
            ),
          ...axes.map((axis, i) => {
            const { absent, names, format } = axisOf(axis);
            const ticks = scales[i]!.ticks.map((tick) => ({
              at: scales[i]!(tick),
              text: tick === null ? absent! : names ? names[tick]! : format!(tick),
            }));
            const name = `${axis.name}${axis.scale === "log" ? " (log)" : ""}`;
            const stroke = { stroke: RULE };
            return group(
              { class: "axis" },
              line(
                [
                  [i * step, 0],
                  [i * step, TALL],
                ],
                stroke,
              ),
              label(
                name,
                [i * step, "top"],
                {
                  ...{ dy: i % 2 === 0 || isWide ? -14 : -30, "text-anchor": "middle", tip: axis.name },
                  ...{ "font-size": SIZES.label, "font-weight": "bold" },
                },
                { room: step === 0 ? 300 : (isWide ? 1 : 2) * step - 12 },
              ),
              ...ticks.flatMap(({ at, text: words }) => [
                label(
                  words,
                  [i * step, at],
                  {
                    dx: 6,
                    tip: words,
                    fill: MUTED,
                    ...HALO,
                  },
                  { room: Math.max(40, step - 16) },
                ),
              ]),
            );
          }),
        ],
        title: " ",
      },
    ],
    { width, height: TALL, ramp },
  );
}
