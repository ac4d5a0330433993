import { spread } from "./arms-chart.ts";
import { extent } from "./curves-chart.ts";
import { numberText } from "./number-text.ts";
import { rowGrid } from "./row-grid.ts";
import { element, group, textElement } from "./svg.ts";
import { shortText } from "./text-width.ts";
import { lookOf, MUTED, PAPER, SIZES } from "./theme.ts";

export interface FacetsSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  rows: string[];
  panels: { title: string; cells: (FacetCell | null)[] }[];
  isShared: boolean;
  notes: string[];
}

/** One arm in one facet. */
export interface FacetCell {
  /** Some of them, where there are many. */
  values: readonly number[];
  n: number;
  mean: number;
  interval: readonly [number, number] | null;
  /** Why there is no interval. */
  remark?: string;
}

const ROW = 40;

/** Arms below each other, facets side by side: every value as a dot, the mean and its interval above them. */
export function facetsChart(spec: FacetsSpec): string {
  return rowGrid(spec, {
    ...{ rows: spec.rows, rowHeight: ROW, xLabel: spec.xLabel, isShared: spec.isShared },
    panels: spec.panels.map(({ title, cells }) => ({
      title,
      domain: fromZero(
        extent(cells.flatMap((cell) => (cell ? [...cell.values, cell.mean, ...(cell.interval ?? [])] : []))),
      ),
      draw(row, at, x, box) {
        const cell = cells[row];
        if (!cell)
          return textElement("no value", {
            ...{ x: box.left + 6, y: at + 4, "font-size": SIZES.tick, fill: MUTED },
          });
        const { colour } = lookOf(row);
        const parts = cell.values.map((value, k) =>
          element("circle", {
            ...{ class: "value", cx: x(value), cy: at + 6 + spread(k) * 8, r: 2.6, fill: colour },
            ...{ "fill-opacity": 0.5, "data-tip": numberText(value, 6) },
          }),
        );
        if (cell.interval)
          parts.push(
            element("line", {
              ...{
                class: "interval",
                x1: x(cell.interval[0]),
                x2: x(cell.interval[1]),
                y1: at - 6,
                y2: at - 6,
              },
              ...{ stroke: colour, "stroke-width": 3.5, "stroke-linecap": "round" },
            }),
          );
        else if (cell.remark !== undefined)
          parts.push(
            textElement(shortText(cell.remark, box.width - 8, SIZES.tick), {
              ...{ x: box.left + box.width, y: at - 12, "font-size": SIZES.tick, fill: MUTED },
              ...{ "text-anchor": "end", "data-tip": cell.remark },
            }),
          );
        parts.push(
          element("circle", {
            ...{ class: "mean", cx: x(cell.mean), cy: at - 6, r: 4.5, fill: PAPER },
            ...{ stroke: colour, "stroke-width": 2.5, "data-tip": tipOf(spec.rows[row]!, cell) },
          }),
        );
        return group("arm", ...parts);
      },
    })),
  });
}

/** Where zero is near, it is shown: then places are read as sizes, rightly. */
function fromZero([low, high]: [number, number]): [number, number] {
  return low > 0 && low < 0.3 * high ? [0, high] : [low, high];
}

function tipOf(name: string, { mean, interval, n }: FacetCell): string {
  const range = interval ? ` [${numberText(interval[0])}, ${numberText(interval[1])}]` : "";
  return `${name}: ${numberText(mean)}${range}, n = ${n}`;
}
