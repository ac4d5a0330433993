import { numberText } from "./number-text.ts";
import type { Scale } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { textWidth } from "./text-width.ts";
import { GRID, INK, MUTED, RULE, SIZES } from "./theme.ts";

/** Where a panel's data go: pixels on the page. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Axis {
  scale: Scale;
  /** A name, with the unit in parentheses where there is one. */
  label: string;
  format?: (value: number) => string;
  /** Draw no ticks: the rows have names. */
  isBlank?: boolean;
}

/** Grid, ticks and names of two axes. What is drawn on top comes from the chart. */
export function axes(box: Box, { x, y, title }: { x: Axis; y: Axis; title?: string }): string {
  const { left, top, width, height } = box;
  const bottom = top + height;
  const parts: string[] = [];
  for (const tick of x.isBlank ? [] : x.scale.ticks) {
    const at = x.scale(tick);
    parts.push(element("line", { x1: at, x2: at, y1: top, y2: bottom, stroke: GRID }));
    parts.push(tickText((x.format ?? numberText)(tick), { x: at, y: bottom + 17, "text-anchor": "middle" }));
  }
  for (const tick of y.isBlank ? [] : y.scale.ticks) {
    const at = y.scale(tick);
    parts.push(element("line", { x1: left, x2: left + width, y1: at, y2: at, stroke: GRID }));
    parts.push(tickText((y.format ?? numberText)(tick), { x: left - 8, y: at + 4, "text-anchor": "end" }));
  }
  parts.push(element("line", { x1: left, x2: left + width, y1: bottom, y2: bottom, stroke: RULE }));
  const label = { "font-size": SIZES.label, fill: INK, "text-anchor": "middle" };
  parts.push(textElement(x.label, { ...label, x: left + width / 2, y: bottom + 38, class: "x-label" }));
  if (y.label !== "") {
    const widths = y.scale.ticks.map((tick) => textWidth((y.format ?? numberText)(tick), SIZES.tick));
    const [ax, ay] = [left - 24 - (y.isBlank ? 0 : Math.max(0, ...widths)), top + height / 2];
    parts.push(
      textElement(y.label, {
        ...label,
        x: ax,
        y: ay,
        transform: `rotate(-90 ${ax} ${ay})`,
        class: "y-label",
      }),
    );
  }
  if (title !== undefined)
    parts.push(
      textElement(title, {
        x: left,
        y: top - 12,
        "font-size": SIZES.label,
        "font-weight": "bold",
        fill: INK,
      }),
    );
  return group("axes", ...parts);
}

function tickText(text: string, attributes: Record<string, string | number>): string {
  return textElement(text, { "font-size": SIZES.tick, fill: MUTED, ...attributes });
}
