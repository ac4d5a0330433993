import { spread } from "./arms-chart.ts";
import { extent } from "./curves-chart.ts";
import { page } from "./page.ts";
import { axes, type Box } from "./panel.ts";
import { type ParameterAxis, placeAxis } from "./parameter-axis.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { GRID, INK, lookOf, MUTED, PAPER, SIZES } from "./theme.ts";

export interface SliceSpec {
  title: string;
  subtitle: string;
  yLabel: string;
  goal: "minimize" | "maximize";
  fence: number | null;
  panels: { axis: ParameterAxis; values: (number | null)[] }[];
  /** In the order of the panels' values. */
  points: { value: number; isFull: boolean; isBest: boolean; tip: string }[];
  notes: string[];
}

const WIDTH = 760;
const LINE = 250;
const LEFT = 84;
const GAP = 22;
const JITTER = 18;
const [FULL, BEST] = [lookOf(0).colour, lookOf(1).colour];

/** The objective against each parameter, one panel a parameter, all with the same height. */
export function sliceChart(spec: SliceSpec): string {
  const { panels, points, fence, goal } = spec;
  const across = Math.min(3, panels.length);
  const lines = Math.ceil(panels.length / across);
  const width = (WIDTH - LEFT - 30 - (across - 1) * GAP) / across;
  const shown = (value: number) =>
    fence === null ? value : (goal === "maximize" ? Math.max : Math.min)(value, fence);
  const ends = extent(points.map(({ value }) => shown(value)));
  const draw = (top: number) =>
    panels
      .map((panel, i) => {
        const box = {
          left: LEFT + (i % across) * (width + GAP),
          top: top + 10 + Math.floor(i / across) * LINE,
          ...{ width, height: LINE - 92 },
        };
        const y = scaleOf(ends, [box.top + box.height - 6, box.top + 6]);
        const order = points.map((_, k) => k).sort((a, b) => rankOf(points[a]!) - rankOf(points[b]!));
        return frame(
          panel.axis,
          { box, y, label: i % across === 0 ? spec.yLabel : "", isFirst: i % across === 0 },
          (x, jitter) =>
            order.map((k) => {
              const { value, isFull, isBest, tip } = points[k]!;
              const colour = isBest ? BEST : FULL;
              return element("circle", {
                ...{
                  class: isBest ? "point best" : "point",
                  cx: x(panel.values[k]!) + (spread(k) - 0.5) * jitter,
                },
                ...{ cy: y(shown(value)), r: isBest ? 5 : 3.2, "data-tip": tip },
                ...(isFull
                  ? { fill: colour, "fill-opacity": isBest ? 1 : 0.5 }
                  : { fill: PAPER, stroke: colour, "stroke-width": 1.3 }),
              });
            }),
        );
      })
      .join("");
  const legend = [
    { name: "point", look: { colour: FULL, dash: undefined }, isBox: true },
    { name: "best", look: { colour: BEST, dash: undefined }, isBox: true },
  ];
  return page({ ...spec, legend }, { width: WIDTH, height: lines * LINE, draw });
}

function rankOf({ isBest, isFull }: SliceSpec["points"][number]): number {
  return isBest ? 2 : isFull ? 1 : 0;
}

interface Frame {
  box: Box;
  y: Scale;
  label: string;
  isFirst: boolean;
}

function frame(
  axis: ParameterAxis,
  { box, y, label, isFirst }: Frame,
  marks: (x: (value: number | null) => number, jitter: number) => string[],
): string {
  const inset = axis.hasAbsent ? 26 : 8;
  const placed = placeAxis(axis, [box.left + inset, box.left + box.width - 8], { ticks: 3, gap: 44 });
  const blank = scaleOf([0, 1], [box.left, box.left + box.width]);
  const each = (placed.range[1] - placed.range[0]) / Math.max(1, axis.labels.length);
  const room = axis.kind === "category" ? each : box.width / 3;
  // Names that don't fit side by side are slanted.
  const isSlanted =
    axis.kind === "category" && placed.ticks.some(({ text }) => textWidth(text, SIZES.tick) > room - 2);
  const parts = placed.ticks.flatMap(({ at, text }) => {
    const grid = element("line", { x1: at, x2: at, y1: box.top, y2: box.top + box.height, stroke: GRID });
    if (isSlanted) {
      const place = { x: at + 4, y: box.top + box.height + 13 };
      return [
        grid,
        textElement(shortText(text, 74, SIZES.tick), {
          ...{
            ...place,
            "text-anchor": "end",
            transform: `rotate(-32 ${place.x} ${place.y})`,
            "data-tip": text,
          },
          ...{ "font-size": SIZES.tick, fill: MUTED },
        }),
      ];
    }
    const label = shortText(text, Math.max(24, room - 4), SIZES.tick);
    const half = textWidth(label, SIZES.tick) / 2;
    const middle = Math.max(box.left + half - 10, Math.min(box.left + box.width + 10 - half, at));
    return [
      grid,
      textElement(label, {
        ...{ x: middle, y: box.top + box.height + 16, "text-anchor": "middle", "data-tip": text },
        ...{ "font-size": SIZES.tick, fill: MUTED },
      }),
    ];
  });
  const name = `${axis.name}${axis.scale === "log" ? " (log scale)" : ""}`;
  parts.push(
    textElement(shortText(name, box.width, SIZES.label), {
      ...{
        x: box.left + box.width / 2,
        y: box.top + box.height + (isSlanted ? 68 : 36),
        "text-anchor": "middle",
        class: "x-label",
      },
      ...{ "font-size": SIZES.label, fill: INK, "data-tip": axis.name },
    }),
  );
  const yScale = isFirst ? y : Object.assign((value: number) => y(value), { domain: y.domain, ticks: [] });
  const lines = isFirst
    ? []
    : y.ticks.map((tick) =>
        element("line", { x1: box.left, x2: box.left + box.width, y1: y(tick), y2: y(tick), stroke: GRID }),
      );
  const few = axis.ticks ? JITTER / 2 : 0;
  const jitter = axis.kind === "category" ? Math.min(JITTER, each * 0.6) : few;
  return group(
    "panel",
    axes(box, { x: { scale: blank, label: "", isBlank: true }, y: { scale: yScale, label } }),
    ...lines,
    ...parts,
    ...marks((value) => placed.at(value), jitter),
  );
}
