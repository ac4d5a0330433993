import type { Range } from "./chart.ts";
import type { Scale } from "./scale.ts";
import { type Attributes, element, linePath, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { INK, PAPER, RULE, SIZES } from "./theme.ts";

/** Where a panel's data go: pixels on the page. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Frame {
  box: Box;
  x: Scale;
  y: Scale;
}

/** One thing that is drawn, in the units of the data; the axes span what their marks need. */
export interface Mark {
  xs: readonly (number | null)[];
  ys: readonly (number | null)[];
  draw(frame: Frame): string;
}

/** A value, or a side of the panel. */
type Place = number | null | "left" | "right" | "top" | "bottom";

/** Attributes of SVG, pixels to be moved by, whose it is, and what a page tells about it. */
export type Paint = Attributes & {
  dx?: number;
  dy?: number;
  series?: string | undefined;
  tip?: string | undefined;
};

function markOf(xs: readonly Place[], ys: readonly Place[], draw: Mark["draw"]): Mark {
  const values = (places: readonly Place[]) =>
    places.filter((place): place is number => typeof place === "number" && Number.isFinite(place));
  return { xs: values(xs), ys: values(ys), draw };
}

function locate(place: Place, scale: Scale, { left, top, width, height }: Box): number {
  if (typeof place !== "string") return scale(place);
  return { left, right: left + width, top, bottom: top + height }[place];
}

function attributesOf({ dx: _, dy: __, series, tip, ...rest }: Paint): Attributes {
  return { ...rest, "data-series": series, "data-tip": tip };
}

/** A circle; nothing where a coordinate is no number. */
export function dot(x: Place, y: Place, { r = 3.4, ...paint }: Paint & { r?: number } = {}): Mark {
  return markOf([x], [y], ({ box, ...scales }) => {
    const cx = locate(x, scales.x, box) + (paint.dx ?? 0);
    const cy = locate(y, scales.y, box) + (paint.dy ?? 0);
    return Number.isFinite(cx + cy) ? element("circle", { cx, cy, r, ...attributesOf(paint) }) : "";
  });
}

/** An estimate: a circle that shows the paper. */
export function ring(x: Place, y: Place, colour: string, paint: Paint & { r?: number } = {}): Mark {
  return dot(x, y, { class: "mean", r: 5.5, fill: PAPER, stroke: colour, "stroke-width": 2.5, ...paint });
}

/** A bar from low to high, along x or along y; an end that is no number, or out of sight, is the panel's edge. */
export function interval(x: Place | Range, y: Place | Range, colour: string, paint: Paint = {}): Mark {
  const [x1, x2] = endsOf(x);
  const [y1, y2] = endsOf(y);
  return markOf([x1, x2], [y1, y2], ({ box, ...scales }) => {
    const [isAlongX, isAlongY] = [Array.isArray(x), Array.isArray(y)];
    const across = [x1, x2].map((end) => locate(end, scales.x, box) + (paint.dx ?? 0));
    const up = [y1, y2].map((end) => locate(end, scales.y, box) + (paint.dy ?? 0));
    if ((isAlongX ? up : across).some((at) => !Number.isFinite(at))) return "";
    const along = isAlongX ? across : up;
    if (along.every((at) => !Number.isFinite(at))) return "";
    const [first, last] = isAlongX ? scales.x.range : scales.y.range;
    const ends = along.map((at, i) => {
      const edge = i === 0 ? first : last;
      return Number.isFinite(at)
        ? Math.max(Math.min(first, last), Math.min(Math.max(first, last), at))
        : edge;
    });
    return element("line", {
      class: "interval",
      ...{ x1: isAlongX ? ends[0] : across[0], x2: isAlongX ? ends[1] : across[1] },
      ...{ y1: isAlongY ? ends[0] : up[0], y2: isAlongY ? ends[1] : up[1] },
      ...{ stroke: colour, "stroke-width": 3.5, ...attributesOf(paint) },
    });
  });
}

function endsOf(place: Place | Range): [Place, Place] {
  return Array.isArray(place) ? [place[0], place[1]] : [place as Place, place as Place];
}

/** A straight line through the whole panel at one value: zero, a threshold. */
export function rule(at: { x: number } | { y: number }, paint: Paint = {}): Mark {
  const isUpright = "x" in at;
  return markOf(isUpright ? [at.x] : [], isUpright ? [] : [at.y], ({ box, x, y }) => {
    const [px, py] = isUpright ? [x(at.x), 0] : [0, y(at.y)];
    return element("line", {
      class: "zero",
      ...(isUpright
        ? { x1: px, x2: px, y1: box.top, y2: box.top + box.height }
        : { x1: box.left, x2: box.left + box.width, y1: py, y2: py }),
      ...{ stroke: RULE, "stroke-dasharray": "4 3", ...attributesOf(paint) },
    });
  });
}

export type Point = readonly [x: number | null, y: number | null];

/** A line through points; one that is no number breaks it. */
export function line(points: readonly Point[], paint: Paint = {}): Mark {
  return markOf(
    points.map(([x]) => x),
    points.map(([, y]) => y),
    ({ x, y }) => {
      const d = linePath(points.map(([px, py]) => [x(px), y(py)] as const));
      return element("path", { fill: "none", ...attributesOf(paint), d });
    },
  );
}

/** Points so that a value holds until the next x. */
export function stairs(points: readonly Point[]): Point[] {
  return points.flatMap(([x, y], i): Point[] =>
    i === 0
      ? [[x, y]]
      : [
          [x, points[i - 1]![1]],
          [x, y],
        ],
  );
}

/** The area between two lines over the same x, in the stretches in which both are known. */
export function band(upper: readonly Point[], lower: readonly Point[], paint: Paint = {}): Mark {
  const isKnown = ([x, y]: Point) => Number.isFinite(x) && Number.isFinite(y);
  const pieces: [number, number][] = [];
  let from = -1;
  for (let i = 0; i <= upper.length; i++) {
    const isInside = i < upper.length && isKnown(upper[i]!) && isKnown(lower[i]!);
    if (isInside && from < 0) from = i;
    if (!isInside && from >= 0) {
      if (i - from > 1) pieces.push([from, i]);
      from = -1;
    }
  }
  const inside = pieces.flatMap(([start, end]) => [...upper.slice(start, end), ...lower.slice(start, end)]);
  return markOf(
    inside.map(([x]) => x),
    inside.map(([, y]) => y),
    ({ x, y }) =>
      pieces
        .map(([start, end]) => {
          const edge = [...upper.slice(start, end), ...lower.slice(start, end).toReversed()];
          const d = `${linePath(edge.map(([px, py]) => [x(px), y(py)] as const))}Z`;
          return element("path", { class: "band", "fill-opacity": 0.18, ...attributesOf(paint), d });
        })
        .join(""),
  );
}

/** A bar along x in the row y, `height` pixels thick. */
export function bar(x: Range, y: number, { height, ...paint }: Paint & { height: number }): Mark {
  return markOf(x, [y], (frame) => {
    const [a, b] = [frame.x(x[0]), frame.x(x[1])];
    return element("rect", {
      ...{ x: Math.min(a, b), y: frame.y(y) - height / 2 + (paint.dy ?? 0) },
      ...{ width: Math.max(0.5, Math.abs(b - a)), height, ...attributesOf(paint) },
    });
  });
}

/** The end of a bar: an interval with caps. */
export function whisker([low, high]: Range, y: number, { dy = 0 }: { dy?: number } = {}): Mark {
  const stroke = { stroke: INK, "stroke-width": 1.4 };
  return markOf([low, high], [y], (frame) => {
    const [x1, x2, at] = [frame.x(low), frame.x(high), frame.y(y) + dy];
    const cap = (x: number) => element("line", { x1: x, x2: x, y1: at - 4, y2: at + 4, ...stroke });
    return element(
      "g",
      { class: "interval" },
      element("line", { x1, x2, y1: at, y2: at, ...stroke }),
      cap(x1),
      cap(x2),
    );
  });
}

interface LabelOptions {
  /** It is cut to so many pixels. */
  room?: number | ((box: Box) => number);
  /** Beyond the panel's right edge it stands on the other side of its place. */
  isKeptInside?: boolean;
}

/** Text at a place. */
export function label(
  text: string,
  [x, y]: readonly [Place, Place],
  { dx = 0, dy = 4, ...paint }: Paint = {},
  { room, isKeptInside = false }: LabelOptions = {},
): Mark {
  const size = Number(paint["font-size"] ?? SIZES.tick);
  return markOf([x], [y], ({ box, ...scales }) => {
    const [px, py] = [locate(x, scales.x, box), locate(y, scales.y, box) + dy];
    if (!Number.isFinite(px + py)) return "";
    const width = typeof room === "function" ? room(box) : room;
    const shown = width === undefined ? text : shortText(text, width, size);
    const isOut = isKeptInside && px + dx + textWidth(shown, size) > box.left + box.width;
    const place = { x: isOut ? px - dx : px + dx, y: py, ...(isOut && { "text-anchor": "end" }) };
    return textElement(shown, { "font-size": size, fill: INK, ...attributesOf(paint), ...place });
  });
}

/** Text in the middle between two values, if it fits. */
export function labelWithin(text: string, [low, high]: Range, y: number, paint: Paint = {}): Mark {
  return markOf([low, high], [y], (frame) => {
    const [from, to] = [frame.x(low), frame.x(high)];
    if (textWidth(text, SIZES.tick) + 10 >= Math.abs(to - from)) return "";
    return textElement(text, {
      ...{ x: (from + to) / 2, y: frame.y(y) + 4, "text-anchor": "middle", "font-size": SIZES.tick },
      ...attributesOf(paint),
    });
  });
}

/** A path in pixels around a place: crosses, wedges. */
export function symbol(
  shape: (x: number, y: number) => string,
  [x, y]: readonly [Place, Place],
  paint: Paint,
): Mark {
  return markOf([x], [y], ({ box, ...scales }) => {
    const [px, py] = [locate(x, scales.x, box), locate(y, scales.y, box)];
    return Number.isFinite(px + py)
      ? element("path", { ...attributesOf(paint), d: shape(px + (paint.dx ?? 0), py + (paint.dy ?? 0)) })
      : "";
  });
}

/** Marks that belong together: an arm's, a legend entry's. */
export function group(paint: Paint, ...marks: readonly Mark[]): Mark {
  return {
    xs: marks.flatMap(({ xs }) => xs),
    ys: marks.flatMap(({ ys }) => ys),
    draw: (frame) => element("g", attributesOf(paint), ...marks.map((mark) => mark.draw(frame))),
  };
}

/** What does not fit another mark: draws itself in the panel's pixels, and widens no axis. */
export function drawing(draw: Mark["draw"]): Mark {
  return { xs: [], ys: [], draw };
}

/** Shifts dots so that neighbours don't cover each other: the same for the same index, between 0 and 1. */
export function spread(index: number): number {
  return (index * 0.618033988749895) % 1;
}
