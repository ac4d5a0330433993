import { extent } from "./curves-chart.ts";
import { numberText } from "./number-text.ts";
import { page } from "./page.ts";
import { axes, type Box } from "./panel.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { element, linePath, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { HALO, INK, lookOf, MUTED, RULE, SIZES } from "./theme.ts";

export interface ScatterSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  yLabel: string;
  panels: {
    title: string;
    points: ScatterPoint[];
    /** Indices of the points that no other beats on both axes, from left to right; empty where no goal is known. */
    front: number[];
  }[];
  notes: string[];
}

export interface ScatterPoint {
  name: string;
  x: number;
  y: number;
  xInterval: readonly [number, number] | null;
  yInterval: readonly [number, number] | null;
  /** Written beside the point, also where there are too many to name all. */
  label?: string;
  tip?: string;
  /** One of a cloud that others stand out from. */
  isFaint?: boolean;
}

const WIDTH = 760;
const HEIGHT = 330;
const LEFT = 96;
/** More names than this cover each other. */
const MOST_NAMES = 12;

/** One point an arm with intervals both ways, and the line of those that nothing beats. */
export function scatterChart(spec: ScatterSpec): string {
  const { panels } = spec;
  const names = [...new Set(panels.flatMap(({ points }) => points.map(({ name }) => name)))];
  const across = Math.min(panels.length, 2);
  const lines = Math.ceil(panels.length / across);
  const isNamed = panels.length === 1 && panels[0]!.points.length <= MOST_NAMES;
  const width = (WIDTH - 36) / across - LEFT;
  const draw = (top: number) =>
    panels
      .map(({ title, points, front }, i) => {
        const box = {
          left: LEFT + (i % across) * (width + LEFT),
          top: top + 26 + Math.floor(i / across) * HEIGHT,
          ...{ width: width - (isNamed ? 24 : 0), height: HEIGHT - 92 },
        };
        const x = scaleOf(
          extent(points.flatMap((p) => [p.x, ...(p.xInterval ?? [])])),
          [box.left, box.left + box.width],
          {
            ticks: Math.floor(box.width / 80),
          },
        );
        const y = scaleOf(extent(points.flatMap((p) => [p.y, ...(p.yInterval ?? [])])), [
          box.top + box.height,
          box.top,
        ]);
        return [
          axes(box, { x: { scale: x, label: spec.xLabel }, y: { scale: y, label: spec.yLabel }, title }),
          element("path", {
            class: "front",
            d: linePath(front.map((k) => [x(points[k]!.x), y(points[k]!.y)] as const)),
            ...{ fill: "none", stroke: MUTED, "stroke-width": 1.5, "stroke-dasharray": "5 4" },
          }),
          ...points.map((point, k) =>
            markOf(point, {
              x,
              y,
              colour: point.isFaint ? RULE : lookOf(names.indexOf(point.name)).colour,
              isFront: front.includes(k),
            }),
          ),
          ...namesOf(
            points.flatMap((p) => {
              const name = p.label ?? (isNamed ? p.name : undefined);
              return name === undefined ? [] : [{ name, x: x(p.x), y: y(p.y) }];
            }),
            box,
          ),
        ].join("");
      })
      .join("");
  const legend = isNamed
    ? []
    : names.map((name, i) => {
        const isFaint = panels.some(({ points }) => points.some((p) => p.name === name && p.isFaint));
        return { name, look: { colour: isFaint ? RULE : lookOf(i).colour, dash: undefined }, isBox: true };
      });
  return page({ ...spec, legend }, { width: WIDTH, height: lines * HEIGHT, draw });
}

function markOf(
  point: ScatterPoint,
  { x, y, colour, isFront }: { x: Scale; y: Scale; colour: string; isFront: boolean },
): string {
  const [px, py] = [x(point.x), y(point.y)];
  const stroke = { stroke: colour, "stroke-width": 1.8, "stroke-opacity": 0.7, class: "interval" };
  const { xInterval, yInterval } = point;
  return element(
    "g",
    { class: "arm", "data-series": point.name },
    xInterval ? element("line", { x1: x(xInterval[0]), x2: x(xInterval[1]), y1: py, y2: py, ...stroke }) : "",
    yInterval ? element("line", { x1: px, x2: px, y1: y(yInterval[0]), y2: y(yInterval[1]), ...stroke }) : "",
    element("circle", {
      ...{
        class: "point",
        cx: px,
        cy: py,
        r: isFront ? 6.5 : point.isFaint ? 3.5 : 5,
        fill: colour,
        "fill-opacity": 0.85,
      },
      ...{ stroke: isFront ? INK : undefined, "stroke-width": isFront ? 1.6 : undefined },
      "data-tip": point.tip ?? `${point.name}: ${numberText(point.x)}, ${numberText(point.y)}`,
    }),
  );
}

/** Names beside their points, moved up or down where two would cover each other. */
function namesOf(points: readonly { name: string; x: number; y: number }[], box: Box): string[] {
  const placed: { left: number; right: number; y: number }[] = [];
  return points.map(({ name, x, y }) => {
    const label = shortText(name, 220, SIZES.tick);
    const wide = textWidth(label, SIZES.tick);
    const left = x + 12 + wide > box.left + box.width + 30 ? x - 12 - wide : x + 12;
    const collides = (at: number) =>
      placed.some((other) => left < other.right && left + wide > other.left && Math.abs(at - other.y) < 13);
    let at = y - 7;
    for (let k = 1; collides(at) && k < 12; k++) at = y - 7 + (k % 2 === 0 ? -1 : 1) * Math.ceil(k / 2) * 13;
    placed.push({ left, right: left + wide, y: at });
    return textElement(label, { x: left, y: at, "font-size": SIZES.tick, fill: INK, class: "name", ...HALO });
  });
}
