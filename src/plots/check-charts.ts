import { numberText, percentText } from "../core/number-text.ts";
import type { AxesText, Range } from "./chart.ts";
import { figure } from "./figure.ts";
import { band, dot, interval, line, type Point, ring, rule } from "./marks.ts";
import { INK, lookOf, MUTED } from "./theme.ts";

/** Values against those that a normal distribution would have, a panel for each arm. */
export interface QuantilesChart extends AxesText {
  kind: "quantiles";
  panels: {
    title: string;
    colour: number;
    /** Sorted; x in standard deviations. */
    points: { name: string; x: number; y: number }[];
    /** Where normal values would lie. */
    line: { slope: number; intercept: number };
    band: { x: number; low: number; high: number }[];
  }[];
}

/** How an estimate would have come out in other draws: a histogram, the estimate and its interval. */
export interface DistributionChart extends AxesText {
  kind: "distribution";
  panels: {
    title: string;
    colour: number;
    bins: { from: number; to: number; share: number }[];
    estimate: number;
    interval: Range | null;
    /** Where nothing differs. */
    reference: number | null;
  }[];
}

export function drawQuantiles({ panels, xLabel, yLabel, ...text }: QuantilesChart): string {
  return figure(
    text,
    panels.map(({ title, colour, points, line: fitted, band: around }) => {
      const ends = around.map(({ x }) => x);
      const fill = lookOf(colour).colour;
      return {
        title,
        x: { label: xLabel, fit: "air", inset: 8 },
        y: { label: yLabel, fit: "air", inset: 8 },
        marks: [
          band(
            around.map(({ x, high }): Point => [x, high]),
            around.map(({ x, low }): Point => [x, low]),
            { class: "band", fill: MUTED, "fill-opacity": 0.16 },
          ),
          line(
            ends.map((x): Point => [x, fitted.intercept + fitted.slope * x]),
            { class: "normal", stroke: INK, "stroke-width": 1.4, "stroke-dasharray": "5 4" },
          ),
          ...points.map(({ name, x, y }) =>
            dot(x, y, { class: "value", fill, "fill-opacity": 0.8, tip: `${name}: ${numberText(y)}` }),
          ),
        ],
      };
    }),
    { height: panels.length > 1 ? 238 : 280, across: 2 },
  );
}

export function drawDistribution({ panels, xLabel, yLabel, ...text }: DistributionChart): string {
  return figure(
    text,
    panels.map(({ title, colour, bins, estimate, interval: range, reference }) => {
      const fill = lookOf(colour).colour;
      const upper = bins.flatMap(({ from, to, share }): Point[] => [
        [from, share],
        [to, share],
      ]);
      const words = range ? ` [${numberText(range[0])}, ${numberText(range[1])}]` : "";
      const tip = `${numberText(estimate)}${words}`;
      return {
        title,
        x: { label: xLabel, fit: "air", inset: 8 },
        y: { label: yLabel, format: percentText },
        marks: [
          ...(reference === null ? [] : [rule({ x: reference })]),
          band(
            upper,
            upper.map(([x]): Point => [x, 0]),
            { class: "bins", fill, "fill-opacity": 0.35 },
          ),
          ...(range ? [interval(range, 0, INK, { "stroke-width": 3, tip })] : []),
          ring(estimate, 0, INK, { r: 6, tip }),
        ],
      };
    }),
    { height: panels.length > 1 ? 238 : 280, across: 2 },
  );
}
