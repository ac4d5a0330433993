import { numberText } from "./number-text.ts";
import { rowGrid } from "./row-grid.ts";
import { element, textElement } from "./svg.ts";
import { textWidth } from "./text-width.ts";
import { INK, lookOf, MUTED, SIZES } from "./theme.ts";

export interface BarsSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  rows: string[];
  /** What the bars of one row are: p50, p95, p99. One bar has no legend. */
  series: string[];
  /** `bars[row][series]`. */
  panels: { title: string; bars: (Bar | null)[][] }[];
  isShared: boolean;
  notes: string[];
}

export interface Bar {
  value: number;
  interval: readonly [number, number] | null;
  n: number;
}

const BAR = 15;
const SPACE = 14;

/** Rows of bars from zero with an interval at their end and the number beside. */
export function barsChart(spec: BarsSpec): string {
  const { series } = spec;
  const bar = series.length === 1 ? 20 : BAR;
  const legend =
    series.length > 1
      ? series.map((name, i) => ({ name, look: { ...lookOf(i), dash: undefined }, isBox: true }))
      : [];
  const all = spec.panels.flatMap(({ bars }) => bars.flat()).filter((one) => one !== null);
  const beside = 8 + Math.max(16, ...all.map(({ value }) => textWidth(numberText(value, 3), SIZES.tick)));
  return rowGrid(
    { ...spec, legend },
    {
      ...{ rows: spec.rows, rowHeight: bar * series.length + SPACE, xLabel: spec.xLabel },
      ...{ isShared: spec.isShared, beside },
      panels: spec.panels.map(({ title, bars }) => ({
        title,
        domain: domainOf(bars.flat()),
        draw: (row, at, x) =>
          bars[row]!.map((one, i) => {
            const top = at + (i - series.length / 2) * bar;
            const middle = top + bar / 2;
            if (!one)
              return textElement("unknown", {
                ...{ x: x(0) + 5, y: middle + 4, "font-size": SIZES.tick, fill: MUTED },
                "data-series": series[i]!,
              });
            const { value, interval, n } = one;
            const range = interval ? ` [${numberText(interval[0])}, ${numberText(interval[1])}]` : "";
            const tip = `${spec.rows[row]}, ${series[i]}: ${numberText(value)}${range}, n = ${n}`;
            const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
            const end = Math.max(to, interval ? x(interval[1]) : to);
            return element(
              "g",
              { class: "bar", "data-series": series[i]!, "data-tip": tip },
              element("rect", {
                ...{ x: from, y: top + 1, width: Math.max(0.5, to - from), height: bar - 2, rx: 2 },
                ...{ fill: lookOf(i).colour, "fill-opacity": 0.85 },
              }),
              ...(interval ? [whisker(x(interval[0]), x(interval[1]), middle)] : []),
              textElement(numberText(value, 3), {
                ...{ x: end + 6, y: middle + 4, "font-size": SIZES.tick, fill: INK },
              }),
            );
          }).join(""),
      })),
    },
  );
}

function whisker(low: number, high: number, at: number): string {
  const line = (x1: number, x2: number, y1: number, y2: number) =>
    element("line", { x1, x2, y1, y2, stroke: INK, "stroke-width": 1.4 });
  return element(
    "g",
    { class: "interval" },
    line(low, high, at, at) + line(low, low, at - 4, at + 4) + line(high, high, at - 4, at + 4),
  );
}

/** Bars begin at zero: their length is what is read. */
function domainOf(bars: readonly (Bar | null)[]): [number, number] {
  let [low, high] = [0, 0];
  for (const bar of bars) {
    if (!bar) continue;
    low = Math.min(low, bar.value, bar.interval?.[0] ?? 0);
    high = Math.max(high, bar.value, bar.interval?.[1] ?? 0);
  }
  return low === high ? [0, 1] : [low, high];
}
