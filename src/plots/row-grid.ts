import { numberText } from "./number-text.ts";
import { type PageText, page } from "./page.ts";
import type { Box } from "./panel.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { middleText, shortText, textWidth } from "./text-width.ts";
import { GRID, INK, MUTED, RULE, SIZES } from "./theme.ts";

/** Panels side by side whose rows have the same names: arms or variants down, facets across. */
export interface RowGrid {
  rows: readonly string[];
  rowHeight: number;
  xLabel: string;
  panels: readonly GridPanel[];
  /** Pixels at the right of each panel for text beside the rows. */
  beside?: number;
  /** One scale for all panels; else each has its own, and the notes should say so. */
  isShared: boolean;
  format?: (value: number) => string;
}

export interface GridPanel {
  title: string;
  /** What must be in sight. */
  domain: readonly [number, number];
  /** Draws one row; `at` is its middle. */
  draw(row: number, at: number, x: Scale, box: Box): string;
  /** Behind all rows. */
  behind?(x: Scale, box: Box): string;
}

const WIDTH = 760;
const MARGIN = 24;
const LABEL = 210;
const NARROWEST = 170;
const GAP = 32;
const HEAD = 24;
const FOOT = 54;

export function rowGrid(text: PageText, grid: RowGrid): string {
  const { rows, panels, rowHeight, beside = 0 } = grid;
  const widest = Math.max(0, ...rows.map((name) => textWidth(name, SIZES.label)));
  const left = MARGIN + Math.min(LABEL, Math.max(40, widest)) + 12;
  const room = WIDTH - MARGIN - left;
  const across = Math.max(
    1,
    Math.min(panels.length, Math.floor((room + GAP) / (NARROWEST + beside + GAP)), 4),
  );
  const lines = Math.ceil(panels.length / across);
  // Five panels are three and two, not four and one.
  const inLine = Math.ceil(panels.length / lines);
  const width = (room + GAP) / inLine - GAP - beside;
  const tall = rows.length * rowHeight;
  const shared = grid.isShared ? domainOf(panels) : undefined;
  const hasTitles = panels.some(({ title }) => title !== "");
  const lineHeight = (hasTitles ? HEAD : 6) + tall + FOOT;
  const draw = (top: number) =>
    Array.from({ length: lines }, (_, line) => {
      const start = top + line * lineHeight + (hasTitles ? HEAD : 6);
      const members = panels.slice(line * inLine, (line + 1) * inLine);
      const parts = rows.map((name, row) =>
        textElement(middleText(name, LABEL, SIZES.label), {
          ...{ x: left - 12, y: start + (row + 0.5) * rowHeight + 4, "text-anchor": "end" },
          ...{ "font-size": SIZES.label, fill: INK, "data-tip": name },
        }),
      );
      for (const [i, panel] of members.entries()) {
        const box = { left: left + i * (width + GAP + beside), top: start, width, height: tall };
        parts.push(panelOf(panel, box, grid, shared));
      }
      const end = left + members.length * (width + GAP + beside) - GAP - beside;
      parts.push(
        textElement(grid.xLabel, {
          ...{ x: (left + end) / 2, y: start + tall + 38, "text-anchor": "middle", class: "x-label" },
          ...{ "font-size": SIZES.label, fill: INK },
        }),
      );
      return parts.join("");
    }).join("");
  return page(text, { width: WIDTH, height: lines * lineHeight + 8, draw });
}

function panelOf(
  panel: GridPanel,
  box: Box,
  { rows, rowHeight, format = numberText }: RowGrid,
  shared: readonly [number, number] | undefined,
): string {
  const { left, top, width, height } = box;
  const bottom = top + height;
  const x = fittingScale(shared ?? panel.domain, box, format);
  const parts: string[] = [];
  if (panel.title !== "")
    parts.push(
      textElement(shortText(panel.title, width + 20, SIZES.label), {
        ...{ x: left, y: top - 10, "font-size": SIZES.label, "font-weight": "bold", fill: INK },
      }),
    );
  for (const tick of x.ticks) {
    const at = x(tick);
    parts.push(element("line", { x1: at, x2: at, y1: top, y2: bottom, stroke: GRID }));
    const text = format(tick).replace("-", "−");
    // Labels stay over their panel, so that neighbours don't touch.
    const half = textWidth(text, SIZES.tick) / 2;
    const middle = Math.max(left - 12 + half, Math.min(left + width + 12 - half, at));
    parts.push(
      textElement(text, {
        ...{ x: middle, y: bottom + 17, "text-anchor": "middle", "font-size": SIZES.tick, fill: MUTED },
      }),
    );
  }
  parts.push(element("line", { x1: left, x2: left + width, y1: bottom, y2: bottom, stroke: RULE }));
  if (panel.behind) parts.push(panel.behind(x, box));
  for (let row = 0; row < rows.length; row++)
    parts.push(panel.draw(row, top + (row + 0.5) * rowHeight, x, box));
  return group("panel", ...parts);
}

/** As many ticks as their texts leave room for, on a domain with a little air; zero stays at the edge. */
function fittingScale(
  [low, high]: readonly [number, number],
  box: Box,
  format: (value: number) => string,
): Scale {
  const air = (high - low) * 0.04;
  const domain = [low === 0 ? 0 : low - air, high === 0 ? 0 : high + air] as const;
  for (let ticks = Math.max(2, Math.floor(box.width / 64)); ; ticks--) {
    const scale = scaleOf(domain, [box.left, box.left + box.width], { ticks, nice: false });
    const widest = Math.max(...scale.ticks.map((tick) => textWidth(format(tick), SIZES.tick)));
    const apart = scale.ticks.length > 1 ? scale(scale.ticks[1]!) - scale(scale.ticks[0]!) : box.width;
    if (ticks <= 2 || widest + 10 <= apart) return scale;
  }
}

function domainOf(panels: readonly GridPanel[]): [number, number] {
  return [
    Math.min(...panels.map(({ domain }) => domain[0])),
    Math.max(...panels.map(({ domain }) => domain[1])),
  ];
}
