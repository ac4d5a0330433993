import { numberText, percentText } from "../core/number-text.ts";
import type { Arm, AxesText } from "./chart.ts";
import { figure } from "./figure.ts";
import { dot, group, line, type Mark, type Point, ring, spread, stairs } from "./marks.ts";
import { legendOf } from "./page.ts";
import { lookOf } from "./theme.ts";

/** Every run a dot, over a number or a name; what belongs together has a line through its means, or along its steps. */
export interface RunsChart extends AxesText {
  kind: "runs";
  /** Names along x: a point's x is a place in this list. */
  xNames?: readonly string[];
  xScale?: "linear" | "log";
  yScale?: "linear" | "log";
  /** Values of y are shares of one. */
  isPercent?: boolean;
  panels: { title: string; points: RunPoint[]; lines: RunLine[] }[];
}

/** A run; a page leads to it by its id. */
export interface RunPoint extends Arm {
  x: number;
  y: number;
  run: string;
  tip: string;
}

/** Means over the runs at each x, as a line or as rings, or the stairs of a cumulative share. */
export interface RunLine extends Arm {
  x: readonly number[];
  y: readonly number[];
  shape: "line" | "stairs" | "rings";
}

export function drawRuns(chart: RunsChart): string {
  const { panels, xLabel, yLabel, xNames, xScale, yScale, isPercent, ...text } = chart;
  const all = panels.flatMap(({ points, lines }) => [...points, ...lines]);
  const height = panels.length > 1 ? 230 : 360;
  return figure(
    text,
    panels.map(({ title, points, lines }) => ({
      title,
      x: xNames ? { label: xLabel, names: xNames } : { label: xLabel, kind: xScale, fit: "air", inset: 8 },
      y: {
        ...{ label: yLabel, kind: yScale, fit: "air", inset: 8 },
        ...(isPercent && { domain: [0, 1] as const, format: (value: number) => percentText(value) }),
      },
      marks: [
        ...points.map((point, i) => pointMark(point, xNames ? (spread(i) - 0.5) * 0.6 : 0)),
        ...lines.map(lineMark),
      ],
    })),
    { height, across: 3, sharedX: true, sharedY: true, legend: legendOf(all, true) },
  );
}

function pointMark({ name, colour, x, y, run, tip }: RunPoint, shift: number): Mark {
  const fill = lookOf(colour).colour;
  return dot(x + shift, y, {
    ...{ class: "run-point", r: 3.6, fill, "fill-opacity": 0.55, series: name, tip },
    "data-run": run,
  });
}

function lineMark({ name, colour, x, y, shape }: RunLine): Mark {
  const look = lookOf(colour);
  const points = x.map((at, i): Point => [at, y[i]!]);
  const tips = points.map(([at, value]) =>
    ring(at, value, look.colour, { r: 4.5, tip: `${name}\nmean ${numberText(value ?? Number.NaN)}` }),
  );
  if (shape === "rings") return group({ series: name }, ...tips);
  const paint = {
    ...{ stroke: look.colour, "stroke-width": 1.8 },
    ...(look.dash && { "stroke-dasharray": look.dash }),
  };
  return group(
    { series: name },
    line(shape === "stairs" ? stairs(points) : points, paint),
    ...(shape === "line" ? tips : []),
  );
}
