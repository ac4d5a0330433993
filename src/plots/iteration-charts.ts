import { numberText } from "../core/number-text.ts";
import type { Arm, AxesText, ChartText } from "./chart.ts";
import { figure } from "./figure.ts";
import { bar, dot, group, label, line, type Mark, ring, rule, spread, whisker } from "./marks.ts";
import { HALO, INK, lookOf, MUTED } from "./theme.ts";

/** How the iterations of each arm lie: dots, a box around the middle half, whiskers to the last that is not far out. */
export interface BoxesChart extends ChartText {
  kind: "boxes";
  xLabel: string;
  rows: (Arm & { values: readonly number[] })[];
}

/** Iterations in the order in which they ran, one start after the other; those that are far out have their names. */
export interface SequenceChart extends AxesText {
  kind: "sequence";
  panels: { title: string; colour: number; starts: { name: string; values: readonly number[] }[] }[];
}

export type IterationChart = BoxesChart | SequenceChart;

/** What the marks are. */
export const NOTES = {
  boxes:
    "Dots: single iterations. Box: the middle half. Ring: the median. Whiskers reach the last iteration within three times the box.",
  sequence: "Dashed: the median. Dark dots are far out, and the furthest have their numbers.",
};

/** More dots in a row are a smear; those that are far out are always there. */
const MOST_DOTS = 160;
const MOST_NAMED = 4;
/** Names closer than this share of the axis would cover each other: the one further out has its own. */
const NEAR = 0.08;
/** Where the largest is so many times the median, a logarithmic axis shows both. */
const WIDE = 8;

/**
 * Quartiles and fences: beyond three times the middle half's width a value is far out.
 * Source: J. W. Tukey, Exploratory Data Analysis (1977), section 2E.
 */
function boxOf(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const low = sorted[Math.floor(place)]!;
    return low + (place % 1) * ((sorted[Math.ceil(place)] ?? low) - low);
  };
  const [q1, median, q3] = [at(0.25), at(0.5), at(0.75)];
  const reach = 3 * (q3 - q1);
  const isFar = (value: number) => value > q3 + reach || value < q1 - reach;
  const near = sorted.filter((value) => !isFar(value));
  return { q1, median, q3, low: near[0] ?? q1, high: near.at(-1) ?? q3, isFar };
}

const kindOf = (values: readonly number[]): "linear" | "log" => {
  const { median } = boxOf(values);
  const isAbove = values.every((value) => value > 0);
  return isAbove && values.some((value) => value > WIDE * median) ? "log" : "linear";
};

export function drawBoxes({ rows, xLabel, ...text }: BoxesChart): string {
  const kind = kindOf(rows.flatMap(({ values }) => values));
  return figure(
    text,
    [
      {
        x: { label: xLabel, fit: "air", inset: 8, kind },
        y: { names: rows.map(({ name }) => name), details: rows.map(({ values }) => `n = ${values.length}`) },
        marks: rows.map(boxMark),
      },
    ],
    { height: rows.length * 52 },
  );
}

function boxMark({ name, colour: slot, values }: BoxesChart["rows"][number], row: number): Mark {
  const { colour } = lookOf(slot);
  const { q1, median, q3, low, high, isFar } = boxOf(values);
  const step = Math.ceil(values.length / MOST_DOTS);
  const tip = `${name}\nmedian ${numberText(median)}, middle half ${numberText(q1)} to ${numberText(q3)}`;
  return group(
    { class: "arm", series: name },
    ...values.flatMap((value, i) =>
      i % step === 0 || isFar(value)
        ? [
            dot(value, row, {
              ...{ class: "value", dy: 9 + spread(i) * 10, r: 2.2, fill: colour, "fill-opacity": 0.45 },
              tip: `${name}, iteration ${i + 1}: ${numberText(value)}`,
            }),
          ]
        : [],
    ),
    whisker([low, high], row, { dy: -8 }),
    bar([q1, q3], row, { ...{ height: 16, dy: -8, rx: 2, fill: colour, "fill-opacity": 0.55, tip } }),
    ring(median, row, colour, { dy: -8, r: 4.5, tip }),
  );
}

export function drawSequence({ panels, xLabel, yLabel, ...text }: SequenceChart): string {
  const kind = kindOf(panels.flatMap(({ starts }) => starts.flatMap(({ values }) => values)));
  return figure(
    text,
    panels.map(({ title, colour: slot, starts }) => {
      const fill = lookOf(slot).colour;
      const all = starts.flatMap(({ name, values }) =>
        values.map((value, i) => ({ name, value, at: i + 1 })),
      );
      const { median, isFar } = boxOf(all.map(({ value }) => value));
      const far = all
        .flatMap((one, i) => (isFar(one.value) ? [{ ...one, i }] : []))
        .sort((a, b) => Math.abs(b.value - median) - Math.abs(a.value - median))
        .filter(({ i }, rank, sorted) =>
          sorted.slice(0, rank).every((other) => Math.abs(other.i - i) > NEAR * all.length),
        )
        .slice(0, MOST_NAMED);
      let from = 0;
      const lines = starts.map(({ values }) => {
        const points = values.map((value, i) => [from + i + 1, value] as const);
        from += values.length;
        return line(points, { stroke: fill, "stroke-width": 1, "stroke-opacity": 0.55 });
      });
      return {
        title,
        x: { label: xLabel, fit: "air", inset: 8 },
        y: { label: yLabel, fit: "air", inset: 10, kind },
        marks: [
          rule({ y: median }, { stroke: MUTED }),
          ...lines,
          ...all.map(({ name, value, at }, i) =>
            dot(i + 1, value, {
              ...{ class: "value", r: isFar(value) ? 3.4 : 2, fill: isFar(value) ? INK : fill },
              tip: `${[name, `iteration ${at}`].filter(Boolean).join(", ")}: ${numberText(value)}`,
            }),
          ),
          ...far.map(({ name, value, at, i }) =>
            label(
              `${[name, `#${at}`].filter(Boolean).join(" ")}`,
              [i + 1, value],
              { class: "outlier", dx: 7, dy: 4, ...HALO },
              { isKeptInside: true },
            ),
          ),
        ],
      };
    }),
    { height: panels.length > 1 ? 190 : 240, across: 2, sharedY: true },
  );
}
