import { numberText } from "../core/number-text.ts";
import type { Arm, ChartText, RampText } from "./chart.ts";
import { element, escapeText, group, textElement } from "./svg.ts";
import { shortText, textWidth, wrapText } from "./text-width.ts";
import { FONT, INK, type Look, lookOf, MONO_FONT, MUTED, PAPER, rampColour, SIZES } from "./theme.ts";

export const MARGIN = 24;

interface Drawing {
  width: number;
  height: number;
  legend: readonly LegendEntry[];
  /** Gets the height at which it may begin. */
  draw(top: number): string;
}

export interface LegendEntry {
  name: string;
  look: Look;
  /** A filled box instead of a line. */
  isBox?: boolean;
  opacity?: number;
}

/** The arms of a chart, each once; one alone needs no legend. */
export function legendOf(arms: readonly Arm[], isBox = false): LegendEntry[] {
  const slots = new Map(arms.map(({ name, colour }) => [name, colour]));
  return slots.size < 2 ? [] : [...slots].map(([name, slot]) => ({ name, look: lookOf(slot), isBox }));
}

/** Puts title, legend and notes around a drawing. */
export function page(text: ChartText, { width, height, legend, draw }: Drawing): string {
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
  const entries = drawLegend(legend, { top: y + 4, width: inner });
  parts.push(entries.svg);
  y += entries.height;
  parts.push(draw(y));
  y += height;
  for (const note of text.notes) {
    for (const line of noteLines(note, inner)) {
      const place = { x: MARGIN, y, "font-size": SIZES.note };
      parts.push(element("text", { ...place, fill: MUTED, class: "note" }, line));
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
    `<desc>${escapeText([text.subtitle, ...text.notes].join(" ").replaceAll(/`([^`]*)`/g, "$1"))}</desc>`,
    element("rect", { class: "paper", width, height: whole, fill: PAPER }),
    ...parts,
  );
}

/** A note line by line, as SVG; what stands between backticks is a command. */
function noteLines(note: string, width: number): string[] {
  const hasCommands = note.split("`").length % 2 === 1;
  let isCommand = false;
  return wrapText(note, width, SIZES.note).map((line) =>
    (hasCommands ? line.split("`") : [line])
      .map((part, i) => {
        if (i > 0) isCommand = !isCommand;
        const words = escapeText(part);
        return isCommand && words !== "" ? element("tspan", { "font-family": MONO_FONT }, words) : words;
      })
      .join(""),
  );
}

function drawLegend(
  entries: readonly LegendEntry[],
  { top, width }: { top: number; width: number },
): { svg: string; height: number } {
  if (entries.length === 0) return { svg: "", height: 0 };
  const parts: string[] = [];
  let x = MARGIN;
  let y = top + 8;
  for (const { name, look, isBox, opacity } of entries) {
    const label = shortText(name, width / 2, SIZES.label);
    const room = textWidth(label, SIZES.label) + 50;
    if (x > MARGIN && x + room > MARGIN + width) {
      x = MARGIN;
      y += 18;
    }
    const mark = isBox
      ? element("rect", {
          x: x + 6,
          y: y - 10,
          width: 14,
          height: 12,
          rx: 2,
          fill: look.colour,
          "fill-opacity": opacity,
        })
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

const RAMP_WIDTH = 150;
const RAMP_STEPS = 30;

/** A bar of the colours from worst to best with three values below; 34 pixels high. */
export function rampLegend(
  { label, worst, middle, best }: RampText,
  { right, top }: { right: number; top: number },
): string {
  const left = right - RAMP_WIDTH;
  const text = { "font-size": SIZES.tick, "text-anchor": "middle", fill: MUTED };
  const values = [worst, middle, best].map((value, i) =>
    textElement(numberText(value, 3), { ...text, x: left + (i * RAMP_WIDTH) / 2, y: top + 22 }),
  );
  return group(
    "ramp",
    ...Array.from({ length: RAMP_STEPS }, (_, i) =>
      element("rect", {
        ...{ x: left + (i * RAMP_WIDTH) / RAMP_STEPS, y: top, width: RAMP_WIDTH / RAMP_STEPS + 0.5 },
        ...{ height: 9, fill: rampColour(i / (RAMP_STEPS - 1)) },
      }),
    ),
    textElement(label, { ...text, x: left - 10, y: top + 9, "text-anchor": "end", fill: INK }),
    ...values,
  );
}
