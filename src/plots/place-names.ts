import type { Range } from "./chart.ts";
import { drawing, type Mark } from "./marks.ts";
import { element, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { HALO, INK, RULE, SIZES } from "./theme.ts";

interface NamedPoint {
  /** Empty: the point is in the way of others' names, and has none. */
  name: string;
  x: number;
  y: number;
  xInterval: Range | null;
  yInterval: Range | null;
}

interface Rect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const TALL = 13;
const NEAR = 9;

/** Names beside their points where neither another name nor a point is; a thin line leads to one that had to go far. */
export function nameMarks(points: readonly NamedPoint[], path: readonly number[]): Mark {
  return drawing(({ x, y, box }) => {
    const dots = points.map((point) => around(x(point.x), y(point.y), 7, 7));
    const lines = points.flatMap(({ xInterval, yInterval, ...point }): Rect[] => [
      ...(xInterval ? [between(x(xInterval[0]), x(xInterval[1]), y(point.y), y(point.y))] : []),
      ...(yInterval ? [between(x(point.x), x(point.x), y(yInterval[0]), y(yInterval[1]))] : []),
    ]);
    const corners = path.map((k) => [x(points[k]!.x), y(points[k]!.y)] as const);
    lines.push(...corners.slice(1).flatMap((to, i) => alongLine(corners[i]!, to)));
    const page = {
      left: box.left,
      right: box.left + box.width + 24,
      top: box.top - 4,
      bottom: box.top + box.height,
    };
    const placed: Rect[] = [];
    const parts = points.map(({ name, ...point }) => {
      if (name === "") return "";
      const text = shortText(name, 220, SIZES.tick);
      const [px, py, wide] = [x(point.x), y(point.y), textWidth(text, SIZES.tick)];
      const tried = candidates(px, py, wide).map((rect, i) => ({
        rect,
        cost:
          1000 * overlaps(rect, placed) +
          400 * overlaps(rect, dots) +
          12 * overlaps(rect, lines) +
          i +
          outside(rect, page),
      }));
      const { rect } = tried.reduce((best, one) => (one.cost < best.cost ? one : best));
      placed.push(rect);
      const [tx, ty] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
      const [nearX, nearY] = [clamp(px, rect.left, rect.right), clamp(py, rect.top, rect.bottom)];
      const leader =
        Math.hypot(px - nearX, py - nearY) > 2 * NEAR
          ? element("line", { x1: px, y1: py, x2: nearX, y2: nearY, stroke: RULE, "stroke-width": 0.8 })
          : "";
      const place = { x: tx, y: ty + 4, "text-anchor": "middle", "font-size": SIZES.tick };
      return leader + textElement(text, { ...place, fill: INK, class: "name", ...HALO });
    });
    return parts.join("");
  });
}

/** Places around a point, the nearest and most usual first. */
function candidates(x: number, y: number, wide: number): Rect[] {
  return [0, 1, 2, 3, 4].flatMap((ring) => {
    const [dx, dy] = [NEAR + wide / 2 + ring * 6, NEAR + TALL / 2 - 2 + ring * TALL];
    return [
      [dx, -dy],
      [dx, dy],
      [-dx, -dy],
      [-dx, dy],
      [dx, 0],
      [-dx, 0],
      [0, -dy],
      [0, dy],
    ].map(([ax, ay]) => around(x + ax!, y + ay!, wide / 2, TALL / 2));
  });
}

function around(x: number, y: number, halfWide: number, halfTall: number): Rect {
  return { left: x - halfWide, right: x + halfWide, top: y - halfTall, bottom: y + halfTall };
}

function between(x1: number, x2: number, y1: number, y2: number): Rect {
  return {
    ...{ left: Math.min(x1, x2) - 1, right: Math.max(x1, x2) + 1 },
    ...{ top: Math.min(y1, y2) - 1, bottom: Math.max(y1, y2) + 1 },
  };
}

/** A slanted line as small boxes. */
function alongLine([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): Rect[] {
  const count = Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 8);
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 0.5) / count;
    return around(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share, 3, 3);
  });
}

function overlaps(rect: Rect, others: readonly Rect[]): number {
  return others.filter(
    (other) =>
      rect.left < other.right &&
      rect.right > other.left &&
      rect.top < other.bottom &&
      rect.bottom > other.top,
  ).length;
}

/** Pixels that stick out, dear. */
function outside(rect: Rect, page: Rect): number {
  const out =
    Math.max(0, page.left - rect.left) +
    Math.max(0, rect.right - page.right) +
    Math.max(0, page.top - rect.top) +
    Math.max(0, rect.bottom - page.bottom);
  return out === 0 ? 0 : 500 + out;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
