import { element, escapeText, group, textElement } from "./svg.ts";
import { shortText, textWidth, wrapText } from "./text-width.ts";
import { FONT, INK, type Look, MUTED, PAPER, SIZES } from "./theme.ts";

const MARGIN = 24;

/** What stands around every chart: what it shows, whose colour is whose, and what an interval is. */
export interface PageText {
  title: string;
  subtitle: string;
  legend?: LegendEntry[];
  /** What bars, bands and points mean; below the chart. */
  notes: string[];
}

export interface LegendEntry {
  name: string;
  look: Look;
  /** A filled box instead of a line. */
  isBox?: boolean;
}

/** Puts title, legend and notes around a drawing; `draw` gets the height at which it may begin. */
export function page(
  text: PageText,
  { width, height, draw }: { width: number; height: number; draw: (top: number) => string },
): string {
  const inner = width - 2 * MARGIN;
  const parts: string[] = [];
  let y = MARGIN + SIZES.title - 4;
  for (const line of wrapText(text.title, inner, SIZES.title * 1.08)) {
    parts.push(
      textElement(line, { x: MARGIN, y, "font-size": SIZES.title, "font-weight": "bold", fill: INK }),
    );
    y += SIZES.title + 5;
  }
  for (const line of wrapText(text.subtitle, inner, SIZES.label)) {
    parts.push(textElement(line, { x: MARGIN, y, "font-size": SIZES.label, fill: MUTED }));
    y += SIZES.label + 5;
  }
  const legend = legendOf(text.legend ?? [], { top: y + 4, width: inner });
  parts.push(legend.svg);
  y += legend.height;
  parts.push(draw(y));
  y += height;
  for (const note of text.notes) {
    for (const line of wrapText(note, inner, SIZES.note)) {
      parts.push(textElement(line, { x: MARGIN, y, "font-size": SIZES.note, fill: MUTED, class: "note" }));
      y += SIZES.note + 5;
    }
  }
  const whole = Math.ceil(y + MARGIN - SIZES.note - 2);
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${whole}`,
      ...{ width, height: whole, role: "img", "font-family": FONT },
    },
    `<title>${escapeText(text.title)}</title>`,
    `<desc>${escapeText([text.subtitle, ...text.notes].join(" "))}</desc>`,
    element("rect", { class: "paper", width, height: whole, fill: PAPER }),
    ...parts,
  );
}

function legendOf(
  entries: readonly LegendEntry[],
  { top, width }: { top: number; width: number },
): { svg: string; height: number } {
  if (entries.length === 0) return { svg: "", height: 0 };
  const parts: string[] = [];
  let x = MARGIN;
  let y = top + 8;
  for (const { name, look, isBox } of entries) {
    const label = shortText(name, width / 2, SIZES.label);
    const room = textWidth(label, SIZES.label) + 50;
    if (x > MARGIN && x + room > MARGIN + width) {
      x = MARGIN;
      y += 18;
    }
    const mark = isBox
      ? element("rect", { x: x + 6, y: y - 10, width: 14, height: 12, rx: 2, fill: look.colour })
      : element("line", {
          ...{ x1: x, x2: x + 22, y1: y - 4, y2: y - 4 },
          ...{ stroke: look.colour, "stroke-width": 3, "stroke-dasharray": look.dash },
        });
    const text = textElement(label, { x: x + 28, y, "font-size": SIZES.label, fill: INK });
    parts.push(element("g", { class: "entry", "data-series": name }, mark, text));
    x += room;
  }
  return { svg: group("legend", ...parts), height: y - top + 14 };
}
