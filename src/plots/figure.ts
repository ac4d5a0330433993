import { numberText } from "../core/number-text.ts";
import type { ChartText, RampText } from "./chart.ts";
import type { Box, Mark } from "./marks.ts";
import { type LegendEntry, MARGIN, page, rampLegend } from "./page.ts";
import { type Axis, extent, placeAxis, type Scale, withoutOverlaps } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { middleText, shortText, textWidth } from "./text-width.ts";
import { GRID, INK, MUTED, RULE, SIZES } from "./theme.ts";

/** Two axes and what is drawn between them. Later marks lie on top. */
export interface Panel {
  title?: string;
  x: Axis;
  y: Axis;
  marks: readonly Mark[];
}

export interface FigureOptions {
  width?: number;
  /** Pixels of each panel between its axes. */
  height: number;
  /** At most so many panels in a line; else as many as have room. */
  across?: number;
  /** Panels in a line share one y axis, at the left. */
  isJoined?: boolean;
  /** All panels have the same x domain, or the same y domain. */
  sharedX?: boolean;
  sharedY?: boolean;
  /** Pixels at the right of each panel for text beside its marks. */
  beside?: number;
  legend?: readonly LegendEntry[];
  ramp?: RampText;
}

const WIDTH = 760;
const GAP = 32;
const NARROWEST = 170;
const HEAD = 24;
/** Names of rows are cut to this, in a single panel and in several. */
const MOST_NAME = { one: 320, many: 210 };
const SLANT_NAMES = 12;
const RAMP_HEIGHT = 44;
/** Room for names beyond this widens the chart. */
const USUAL_NAMES = 240;

/** A whole chart: title, legend, panels in lines, notes. */
export function figure(text: ChartText, panels: readonly Panel[], options: FigureOptions): string {
  const { height, isJoined = false, beside = 0, legend = [], ramp } = options;
  const xSpans = spansOf(panels, "x", options.sharedX);
  const ySpans = spansOf(panels, "y", options.sharedY);
  const mostName = panels.length === 1 ? MOST_NAME.one : MOST_NAME.many;
  const rooms = panels.map(({ y }, i) => axisRoom(y, verticalScale(y, ySpans[i]!, [height, 0]), mostName));
  const room = Math.max(0, ...rooms);
  const width = (options.width ?? WIDTH) + Math.max(0, room - USUAL_NAMES);
  const free = width - 2 * MARGIN + GAP - (isJoined ? room : 0);
  const narrow = NARROWEST + beside + GAP + (isJoined ? 0 : room);
  const most = Math.min(options.across ?? 4, Math.max(1, Math.floor(free / narrow)), panels.length);
  const lines = Math.ceil(panels.length / Math.max(1, most));
  // Five panels are three and two, not four and one.
  const inLine = Math.ceil(panels.length / lines);
  const each = free / inLine;
  const inner = each - GAP - beside - (isJoined ? 0 : room);
  const head = panels.some(({ title }) => title) ? HEAD : 8;
  const feet = panels.map(({ x }) => footOf(x, inner));
  const lineHeight = head + height + Math.max(...feet);
  const draw = (top: number) =>
    panels
      .map((panel, i) => {
        const [line, column] = [Math.floor(i / inLine), i % inLine];
        const box = {
          left: MARGIN + (isJoined ? room + column * each : column * each + room),
          ...{ top: top + head + line * lineHeight, width: inner, height },
        };
        const x = placeAxis(panel.x, xSpans[i]!, [box.left, box.left + inner], {
          widthOf: (value) => textWidth(textOf(panel.x, value), SIZES.tick),
          every: 76,
        });
        const y = verticalScale(panel.y, ySpans[i]!, [box.top + height, box.top]);
        const peers = panels.slice(line * inLine, (line + 1) * inLine);
        const isOneLabel = isJoined && peers.every((peer) => peer.x.label === panel.x.label);
        const parts = [
          panel.title ? panelTitle(panel.title, box) : "",
          xAxis(panel.x, x, box),
          yAxis(panel.y, y, box, { room, isFirst: !isJoined || column === 0 }),
        ];
        const bottom = top + (line + 1) * lineHeight;
        const reach = isOneLabel ? peers.length * each - GAP - beside : inner;
        if (panel.x.label && (!isOneLabel || column === 0))
          parts.push(xLabel(panel.x, box.left + reach / 2, bottom, isOneLabel ? width : inner + GAP));
        return group("panel", ...parts, ...panel.marks.map((mark) => mark.draw({ box, x, y })));
      })
      .join("");
  const above = ramp ? RAMP_HEIGHT : 0;
  return page(text, {
    ...{ width, legend, height: above + lines * lineHeight + 20 },
    draw: (top) => (ramp ? rampLegend(ramp, { right: width - 40, top: top + 6 }) : "") + draw(top + above),
  });
}

/** What each panel's axis must have in sight: its own marks, or those of all panels. */
function spansOf(panels: readonly Panel[], side: "x" | "y", isShared = false): (readonly [number, number])[] {
  const own = panels.map((panel) => {
    const { domain, names, kind } = panel[side];
    if (domain) return domain;
    if (names) return [0, Math.max(0, names.length - 1)] as const;
    const values = panel.marks.flatMap((mark) => (side === "x" ? mark.xs : mark.ys));
    return extent(kind === "log" ? values.filter((value) => value !== null && value > 0) : values);
  });
  const all = extent(own.flat());
  return own.map((span) => {
    const chosen = isShared ? all : span;
    return chosen[0] <= chosen[1] ? chosen : panels[0]![side].kind === "log" ? [1, 10] : [0, 1];
  });
}

/** Rows go down, numbers up; texts of neighbours need their height. */
function verticalScale(axis: Axis, span: readonly [number, number], [low, high]: [number, number]): Scale {
  const range = axis.names && !axis.isUpward ? ([high, low] as const) : ([low, high] as const);
  return placeAxis(axis, span, range, { widthOf: () => 16, every: 38, gap: 34 });
}

function textOf({ names, absent, format = numberText }: Axis, value: number | null): string {
  if (value === null) return absent ?? "";
  return names ? (names[value] ?? "") : format(value).replace("-", "−");
}

function axisRoom(axis: Axis, scale: Scale, mostName: number): number {
  if (axis.isBare) return axis.label ? 24 : 0;
  const widths = scale.ticks.map((tick) => textWidth(textOf(axis, tick), SIZES.tick + (axis.names ? 1 : 0)));
  const widest = Math.max(axis.names ? 40 : 0, ...widths);
  return Math.min(mostName, widest) + (axis.names ? 12 : 10) + (axis.label ? 22 : 0);
}

function footOf(axis: Axis, inner: number): number {
  const ticks = axis.isBare ? 10 : isSlanted(axis, inner) ? 54 : 26;
  return ticks + (axis.label ? 24 : 0);
}

/** Few names that don't fit side by side are slanted; of many, some are left out. */
function isSlanted({ names }: Axis, width: number): boolean {
  if (!names || names.length < 3 || names.length > SLANT_NAMES) return false;
  return names.some((name) => textWidth(name, SIZES.tick) > width / names.length - 4);
}

function panelTitle(title: string, { left, top, width }: Box): string {
  return textElement(shortText(title, width + 20, SIZES.label), {
    ...{ x: left, y: top - 10, "font-size": SIZES.label, "font-weight": "bold", fill: INK },
  });
}

const TICK = { "font-size": SIZES.tick, fill: MUTED } as const;

function xAxis(axis: Axis, scale: Scale, { left, top, width, height }: Box): string {
  if (axis.isBare) return "";
  const bottom = top + height;
  const base = element("line", { x1: left, x2: left + width, y1: bottom, y2: bottom, stroke: RULE });
  const texts = scale.ticks.map((tick) => ({ tick, at: scale(tick), text: textOf(axis, tick) }));
  const grid =
    axis.names || axis.isGridless
      ? []
      : texts.map(({ at }) => element("line", { x1: at, x2: at, y1: top, y2: bottom, stroke: GRID }));
  if (isSlanted(axis, width)) {
    const slanted = texts.map(({ at, text }) => {
      const [x, y] = [at + 4, bottom + 13];
      return textElement(shortText(text, 74, SIZES.tick), {
        ...{ x, y, "text-anchor": "end", transform: `rotate(-32 ${x} ${y})`, "data-tip": text, ...TICK },
      });
    });
    return group("axis", ...grid, base, ...slanted);
  }
  const room = axis.names ? width / axis.names.length : width;
  const placed = texts.map(({ at, text: whole }) => {
    const text =
      axis.names && axis.names.length <= SLANT_NAMES ? shortText(whole, room - 8, SIZES.tick) : whole;
    // Labels stay over their panel, so that neighbours don't touch.
    const half = textWidth(text, SIZES.tick) / 2;
    return { whole, text, at: Math.max(left - 12 + half, Math.min(left + width + 12 - half, at)) };
  });
  const below = withoutOverlaps(placed, SIZES.tick).map(({ at, text, whole }) =>
    textElement(text, {
      ...{ x: at, y: bottom + 17, "text-anchor": "middle", ...TICK },
      "data-tip": text === whole ? undefined : whole,
    }),
  );
  return group("axis", ...grid, base, ...below);
}

function xLabel({ label = "" }: Axis, middle: number, bottom: number, room: number): string {
  return textElement(shortText(label, room, SIZES.label), {
    ...{ x: middle, y: bottom - 12, "text-anchor": "middle", class: "x-label" },
    ...{ "font-size": SIZES.label, fill: INK, "data-tip": label },
  });
}

function yAxis(
  axis: Axis,
  scale: Scale,
  { left, top, width, height }: Box,
  { room, isFirst }: { room: number; isFirst: boolean },
): string {
  const parts: string[] = [];
  const ticks = axis.isBare ? [] : scale.ticks;
  for (const tick of axis.names || axis.isGridless ? [] : ticks)
    parts.push(
      element("line", { x1: left, x2: left + width, y1: scale(tick), y2: scale(tick), stroke: GRID }),
    );
  if (!isFirst) return group("axis", ...parts);
  for (const [i, tick] of ticks.entries()) {
    const [text, detail] = [textOf(axis, tick), axis.details?.[i]];
    const at = scale(tick) + (detail === undefined ? 4 : -2);
    const look = axis.names && !axis.isUpward ? { "font-size": SIZES.label, fill: INK } : TICK;
    const shown = middleText(text, room, look["font-size"]);
    const place = { x: left - (axis.names ? 12 : 8), "text-anchor": "end" };
    parts.push(
      textElement(shown, { ...place, y: at, ...look, "data-tip": shown === text ? undefined : text }),
    );
    if (detail !== undefined) parts.push(textElement(detail, { ...place, y: at + 15, ...TICK }));
  }
  if (axis.label) {
    const [x, y] = [left - room + 10, top + height / 2];
    const turned = { transform: `rotate(-90 ${x} ${y})`, "text-anchor": "middle", class: "y-label" };
    const shown = shortText(axis.label, height + 60, SIZES.label);
    parts.push(textElement(shown, { x, y, ...turned, "font-size": SIZES.label, fill: INK }));
  }
  return group("axis", ...parts);
}
