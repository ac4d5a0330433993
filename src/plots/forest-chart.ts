import { extent } from "./curves-chart.ts";
import { numberText } from "./number-text.ts";
import { rowGrid } from "./row-grid.ts";
import { element, group, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { HALO, INK, lookOf, MUTED, PAPER, RULE, SIZES } from "./theme.ts";

export interface ForestSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  /** Where nothing differs: 0 for differences, 1 for ratios. */
  reference: number;
  rows: string[];
  panels: { title: string; cells: (ForestCell | { why: string })[] }[];
  isShared: boolean;
  notes: string[];
  /** Ticks in percent. */
  isPercent?: boolean;
}

export interface ForestCell {
  value: number;
  low: number;
  high: number;
  /** `+12 % [3, 21]`, beside the row. */
  text: string;
  /** Which way it points, where somebody said which is better. */
  verdict: "better" | "worse" | "none";
}

const ROW = 34;
const COLOURS = { better: lookOf(2).colour, worse: lookOf(1).colour, none: lookOf(0).colour };

/** Differences or ratios against one arm: a point, its interval, and the line where nothing differs. */
export function forestChart(spec: ForestSpec): string {
  const texts = spec.panels.flatMap(({ cells }) => cells.map((cell) => ("text" in cell ? cell.text : "")));
  const beside = 14 + Math.max(...texts.map((text) => textWidth(text, SIZES.tick)));
  const format = spec.isPercent ? (value: number) => `${numberText(value * 100, 3)} %` : numberText;
  return rowGrid(spec, {
    ...{ rows: spec.rows, rowHeight: ROW, xLabel: spec.xLabel, isShared: spec.isShared, beside, format },
    panels: spec.panels.map(({ title, cells }) => ({
      title,
      domain: extent([
        spec.reference,
        ...cells.flatMap((cell) =>
          "value" in cell ? [cell.low, cell.value, cell.high].filter(Number.isFinite) : [],
        ),
      ]),
      behind: (x, box) =>
        element("line", {
          ...{
            class: "zero",
            x1: x(spec.reference),
            x2: x(spec.reference),
            y1: box.top,
            y2: box.top + box.height,
          },
          ...{ stroke: RULE, "stroke-width": 1.6, "stroke-dasharray": "4 3" },
        }),
      draw(row, at, x, box) {
        const cell = cells[row]!;
        if ("why" in cell)
          return textElement(shortText(`unknown: ${cell.why}`, box.width + beside - 8, SIZES.tick), {
            ...{
              x: box.left + 6,
              y: at + 4,
              "font-size": SIZES.tick,
              fill: MUTED,
              "data-tip": cell.why,
              ...HALO,
            },
          });
        const colour = COLOURS[cell.verdict];
        const ends = [box.left, box.left + box.width] as const;
        const inside = (value: number) => Math.min(ends[1], Math.max(ends[0], x(value)));
        return group(
          "arm",
          element("line", {
            ...{ class: "interval", x1: inside(cell.low), x2: inside(cell.high), y1: at, y2: at },
            ...{ stroke: colour, "stroke-width": 3.5, "stroke-linecap": "round" },
          }),
          element("circle", {
            ...{ class: "mean", cx: x(cell.value), cy: at, r: 5.5, fill: PAPER, stroke: colour },
            ...{ "stroke-width": 2.5, "data-tip": `${spec.rows[row]}: ${cell.text}` },
          }),
          textElement(cell.text, {
            ...{ x: box.left + box.width + 10, y: at + 4, "font-size": SIZES.tick, fill: INK },
          }),
        );
      },
    })),
  });
}
