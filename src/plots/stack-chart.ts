import { numberText, percentText } from "./number-text.ts";
import { rowGrid } from "./row-grid.ts";
import { element, textElement } from "./svg.ts";
import { textWidth } from "./text-width.ts";
import { INK, lookOf, PAPER, SIZES } from "./theme.ts";

export interface StackSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  rows: string[];
  series: string[];
  /** `parts[row][series]`, none negative. */
  panels: { title: string; parts: number[][] }[];
  /** The parts are shares of one. */
  isShare: boolean;
  isShared: boolean;
  notes: string[];
}

const ROW = 36;
const BAR = 22;

/** What a whole is made of: exits, tokens, money, as pieces of one bar a row. */
export function stackChart(spec: StackSpec): string {
  const { series, isShare } = spec;
  const format = isShare ? percentText : (value: number) => numberText(value, 3);
  const totals = spec.panels.map(({ parts }) => parts.map((row) => row.reduce((a, b) => a + b, 0)));
  const beside = isShare
    ? 0
    : 8 + Math.max(...totals.flat().map((total) => textWidth(format(total), SIZES.tick)));
  const legend = series.map((name, i) => ({ name, look: { ...lookOf(i), dash: undefined }, isBox: true }));
  return rowGrid(
    { ...spec, legend },
    {
      ...{ rows: spec.rows, rowHeight: ROW, xLabel: spec.xLabel, isShared: spec.isShared, beside, format },
      panels: spec.panels.map(({ title, parts }, p) => ({
        title,
        domain: [0, isShare ? 1 : Math.max(...totals[p]!) || 1],
        draw(row, at, x) {
          let from = 0;
          const pieces = parts[row]!.map((part, i) => {
            const [start, end] = [x(from), x(from + part)];
            from += part;
            if (part === 0) return "";
            const label = format(part);
            const fits = textWidth(label, SIZES.tick) + 10 < end - start;
            return element(
              "g",
              { "data-series": series[i]!, "data-tip": `${spec.rows[row]}, ${series[i]}: ${label}` },
              element("rect", {
                ...{ class: "part", x: start, y: at - BAR / 2, width: end - start, height: BAR },
                ...{ fill: lookOf(i).colour, stroke: PAPER, "stroke-width": 1 },
              }),
              ...(fits
                ? [
                    textElement(label, {
                      ...{ x: (start + end) / 2, y: at + 4, "font-size": SIZES.tick, fill: "#fffffe" },
                      "text-anchor": "middle",
                    }),
                  ]
                : []),
            );
          });
          if (!isShare)
            pieces.push(
              textElement(format(from), { x: x(from) + 6, y: at + 4, "font-size": SIZES.tick, fill: INK }),
            );
          return pieces.join("");
        },
      })),
    },
  );
}
