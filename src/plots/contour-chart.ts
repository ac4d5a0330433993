import { page } from "./page.ts";
import { type ParameterAxis, placeAxis } from "./parameter-axis.ts";
import { element, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { INK, MUTED, PAPER, RULE, SIZES } from "./theme.ts";
import { type RampText, rampColour, rampLegend } from "./value-ramp.ts";

export interface ContourSpec {
  title: string;
  subtitle: string;
  x: ParameterAxis;
  y: ParameterAxis;
  /** What a model expects, from 0 for the worst cell to 1 for the best: rows from the y axis's beginning. */
  cells: { across: (number | null)[]; up: (number | null)[]; shares: number[][] };
  points: {
    x: number | null;
    y: number | null;
    share: number;
    isFull: boolean;
    isBest: boolean;
    tip: string;
  }[];
  ramp: RampText;
  notes: string[];
}

const WIDTH = 760;
const TALL = 330;
const HEAD = 44;

/** Two parameters against each other: what a model expects as colour, and the points that were tried. */
export function contourChart(spec: ContourSpec): string {
  const names = spec.y.labels.map((text) => textWidth(text, SIZES.tick));
  const left = 84 + Math.min(110, Math.max(0, ...names) * (spec.y.kind === "category" ? 1 : 0));
  const draw = (top: number) => {
    const [right, low, high] = [WIDTH - 40, top + HEAD + TALL, top + HEAD];
    const x = placeAxis(spec.x, [left + 12, right - 12], { ticks: 6, gap: 60 });
    const y = placeAxis(spec.y, [low - 12, high + 12], { ticks: 5, gap: 34 });
    const { across, up, shares } = spec.cells;
    const columns = edgesOf(
      across.map((value) => x.at(value)),
      [left, right],
    );
    const rows = edgesOf(
      up.map((value) => y.at(value)),
      [low, high],
    );
    const field = shares.flatMap((row, r) =>
      row.map((share, c) =>
        element("rect", {
          ...{ x: columns[c]!, y: rows[r + 1]!, width: columns[c + 1]! - columns[c]! },
          ...{ height: rows[r]! - rows[r + 1]!, fill: rampColour(share), "fill-opacity": 0.55 },
        }),
      ),
    );
    const ticks = [
      ...x.ticks.map(({ at, text }) =>
        textElement(shortText(text, 90, SIZES.tick), {
          ...{
            x: at,
            y: low + 17,
            "text-anchor": "middle",
            "font-size": SIZES.tick,
            fill: MUTED,
            "data-tip": text,
          },
        }),
      ),
      ...y.ticks.map(({ at, text }) =>
        textElement(shortText(text, 110, SIZES.tick), {
          ...{
            x: left - 8,
            y: at + 4,
            "text-anchor": "end",
            "font-size": SIZES.tick,
            fill: MUTED,
            "data-tip": text,
          },
        }),
      ),
    ];
    const points = spec.points
      .toSorted((a, b) => Number(a.isBest) - Number(b.isBest) || a.share - b.share)
      .map((point) =>
        element("circle", {
          ...{ class: point.isBest ? "point best" : "point", cx: x.at(point.x), cy: y.at(point.y) },
          ...{ r: point.isBest ? 7 : 4, "data-tip": point.tip },
          fill: point.isFull ? rampColour(point.share) : PAPER,
          ...{
            stroke: point.isBest ? INK : point.isFull ? PAPER : MUTED,
            "stroke-width": point.isBest ? 2 : 1,
          },
        }),
      );
    const frame = element("rect", {
      ...{ x: left, y: high, width: right - left, height: low - high, fill: "none", stroke: RULE },
    });
    return [
      rampLegend(spec.ramp, { right: right, top: top + 6 }),
      element("g", { class: "field", "shape-rendering": "crispEdges" }, ...field),
      frame,
      ...ticks,
      ...points,
      ...labels(spec, { left, right, low, high }),
    ].join("");
  };
  return page(spec, { width: WIDTH, height: HEAD + TALL + 62, draw });
}

/** Half way between neighbours; the outer ones reach the frame. */
function edgesOf(centres: readonly number[], [from, to]: readonly [number, number]): number[] {
  const inner = centres.slice(1).map((at, i) => (at + centres[i]!) / 2);
  return [from, ...inner, to];
}

function labels(
  { x, y }: ContourSpec,
  { left, right, low, high }: { left: number; right: number; low: number; high: number },
): string[] {
  const text = { "font-size": SIZES.label, fill: INK, "text-anchor": "middle" };
  const nameOf = (axis: ParameterAxis) => `${axis.name}${axis.scale === "log" ? " (log scale)" : ""}`;
  const middle = (low + high) / 2;
  return [
    textElement(nameOf(x), { ...text, x: (left + right) / 2, y: low + 40, class: "x-label" }),
    textElement(nameOf(y), {
      ...text,
      x: 34,
      y: middle,
      transform: `rotate(-90 34 ${middle})`,
      class: "y-label",
    }),
  ];
}
