import { extent } from "./curves-chart.ts";
import { page } from "./page.ts";
import { axes, type Box } from "./panel.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { textWidth } from "./text-width.ts";
import { HALO, INK, lookOf, MUTED, PAPER, SIZES } from "./theme.ts";

export interface StepsSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  yLabel: string;
  panels: StepsPanel[];
  notes: string[];
}

export interface StepsPanel {
  title: string;
  points: { label: string; mean: number; interval: { low: number; high: number } | null }[];
  /** The first point of each new level, with what is said of it. */
  steps: { at: number; label: string }[];
  /** One level more than there are steps. */
  levels: number[];
}

const WIDTH = 860;
const PANEL = 268;
const COLOUR = lookOf(0).colour;
const STEP = lookOf(1).colour;

/** A metric over the states of the code, a panel a cell: every point with its interval, the levels, the steps. */
export function stepsChart(spec: StepsSpec): string {
  const draw = (top: number) =>
    spec.panels
      .map((panel, i) => {
        const box = { left: 96, top: top + 40 + i * PANEL, width: WIDTH - 96 - 36, height: PANEL - 108 };
        return drawPanel(box, panel, spec);
      })
      .join("");
  return page(spec, { width: WIDTH, height: spec.panels.length * PANEL + 8, draw });
}

function drawPanel(box: Box, { title, points, steps, levels }: StepsPanel, spec: StepsSpec): string {
  const ends = points.flatMap(({ mean, interval }) => [
    mean,
    ...(interval ? [interval.low, interval.high] : []),
  ]);
  const edge = 0.6;
  const x = scaleOf([-edge, points.length - 1 + edge], [box.left, box.left + box.width], { nice: false });
  const y = scaleOf(extent(ends), [box.top + box.height, box.top], { ticks: 4 });
  const parts = points.flatMap(({ mean, interval }, i) => [
    ...(interval
      ? [
          element("line", {
            ...{ class: "interval", x1: x(i), x2: x(i), y1: y(interval.low), y2: y(interval.high) },
            ...{ stroke: COLOUR, "stroke-width": 2, "stroke-opacity": 0.5 },
          }),
        ]
      : []),
    element("circle", {
      ...{ class: "point", cx: x(i), cy: y(mean), r: 3.6 },
      ...{ fill: PAPER, stroke: COLOUR, "stroke-width": 2 },
    }),
  ]);
  const cuts = [0, ...steps.map(({ at }) => at), points.length];
  const lines = levels.map((level, i) => {
    const ends = { x1: x(cuts[i]! - 0.5), x2: x(cuts[i + 1]! - 0.5), y1: y(level), y2: y(level) };
    return element("line", { class: "level", ...ends, stroke: INK, "stroke-width": 1.6 });
  });
  return group(
    "panel",
    axes(box, {
      x: { scale: x, label: spec.xLabel, isBlank: true },
      y: { scale: y, label: spec.yLabel },
      title,
    }),
    ...names(points, { box, x }),
    ...lines,
    ...parts,
    ...steps.flatMap((step) => drawStep(step, { box, x })),
  );
}

function drawStep(
  { at, label }: { at: number; label: string },
  { box, x }: { box: Box; x: Scale },
): string[] {
  const place = x(at - 0.5);
  const isRight = place + textWidth(label, SIZES.tick) + 8 > box.left + box.width;
  return [
    element("line", {
      ...{ class: "step", x1: place, x2: place, y1: box.top, y2: box.top + box.height },
      ...{ stroke: STEP, "stroke-width": 1.6, "stroke-dasharray": "5 3" },
    }),
    textElement(label, {
      ...{ x: place + (isRight ? -5 : 5), y: box.top + 11, "text-anchor": isRight ? "end" : "start" },
      ...{ "font-size": SIZES.tick, "font-weight": "bold", fill: STEP, ...HALO },
    }),
  ];
}

/** As many names below the points as there is room for. */
function names(points: StepsPanel["points"], { box, x }: { box: Box; x: Scale }): string[] {
  const widest = Math.max(...points.map(({ label }) => textWidth(label, SIZES.tick))) + 12;
  const every = Math.max(1, Math.ceil(widest / (x(1) - x(0))));
  return points.flatMap(({ label }, i) =>
    i % every === 0
      ? [
          textElement(label, {
            ...{ x: x(i), y: box.top + box.height + 17, "text-anchor": "middle" },
            ...{ "font-size": SIZES.tick, fill: MUTED },
          }),
        ]
      : [],
  );
}
