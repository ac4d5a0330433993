import { page } from "./page.ts";
import { type ParameterAxis, placeAxis } from "./parameter-axis.ts";
import { element, group, linePath, textElement } from "./svg.ts";
import { shortText } from "./text-width.ts";
import { HALO, INK, MUTED, RULE, SIZES } from "./theme.ts";
import { type RampText, rampColour, rampLegend } from "./value-ramp.ts";

export interface ParallelSpec {
  title: string;
  subtitle: string;
  /** The objective's comes last. */
  axes: ParameterAxis[];
  lines: ParallelLine[];
  ramp: RampText;
  notes: string[];
}

export interface ParallelLine {
  /** One value an axis; null where the parameter is inactive. */
  values: (number | null)[];
  /** 0 for the worst, 1 for the best, by rank. */
  share: number;
  isBest: boolean;
  tip: string;
}

const WIDTH = 760;
const TALL = 290;
const HEAD = 78;

/** One line a point through its value on every axis, coloured by how good it is. */
export function parallelChart(spec: ParallelSpec): string {
  const { axes } = spec;
  const width = Math.max(WIDTH, axes.length * 92 + 60);
  const [left, right] = [66, width - 76];
  const step = axes.length > 1 ? (right - left) / (axes.length - 1) : 0;
  const draw = (top: number) => {
    const [low, high] = [top + HEAD + TALL, top + HEAD];
    const placed = axes.map((axis) => placeAxis(axis, [low, high], { ticks: 4 }));
    const x = (i: number) => left + i * step;
    const lines = spec.lines
      .toSorted((a, b) => Number(a.isBest) - Number(b.isBest) || a.share - b.share)
      .map(({ values, share, isBest, tip }) =>
        element("path", {
          ...{ class: isBest ? "line best" : "line", fill: "none", "data-tip": tip },
          d: linePath(values.map((value, i) => [x(i), placed[i]!.at(value)] as const)),
          stroke: rampColour(share),
          ...(isBest ? { "stroke-width": 3 } : { "stroke-width": 1.2, "stroke-opacity": 0.25 + 0.5 * share }),
        }),
      );
    const frames = axes.map((axis, i) => {
      const name = `${axis.name}${axis.scale === "log" ? " (log)" : ""}`;
      return group(
        "axis",
        element("line", { x1: x(i), x2: x(i), y1: low, y2: high, stroke: RULE }),
        textElement(shortText(name, step === 0 ? 300 : (step > 130 ? 1 : 2) * step - 12, SIZES.label), {
          ...{ x: x(i), y: high - (i % 2 === 0 || step > 130 ? 14 : 30), "text-anchor": "middle" },
          ...{ "font-size": SIZES.label, fill: INK, "font-weight": "bold", "data-tip": axis.name },
        }),
        ...placed[i]!.ticks.flatMap(({ at, text }) => [
          element("line", { x1: x(i) - 3, x2: x(i) + 3, y1: at, y2: at, stroke: RULE }),
          textElement(shortText(text, Math.max(40, step - 16), SIZES.tick), {
            ...{ x: x(i) + 6, y: at + 4, "font-size": SIZES.tick, fill: MUTED, "data-tip": text, ...HALO },
          }),
        ]),
      );
    });
    return [rampLegend(spec.ramp, { right: width - 40, top: top + 8 }), ...lines, ...frames].join("");
  };
  return page(spec, { width, height: HEAD + TALL + 28, draw });
}
