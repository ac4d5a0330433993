import type { Verdict } from "./chart.ts";

/** The look that all charts share. The font is bundled for PNG; a browser falls back to one of the same widths. */
export const FONT = "DejaVu Sans, Verdana, sans-serif";
export const MONO_FONT = "DejaVu Sans Mono, Menlo, monospace";
export const INK = "#1f2328";
export const MUTED = "#59636e";
export const GRID = "#e4e7eb";
export const RULE = "#8c959f";
export const PAPER = "#ffffff";

/** Keeps text readable over lines. */
export const HALO = { stroke: PAPER, "stroke-width": 3, "paint-order": "stroke" } as const;

export const SIZES = { title: 16, label: 12, tick: 11, note: 11 } as const;

/** Green and orange always mean better and worse, and nothing else is drawn in them. */
export const VERDICTS: Record<Verdict, string> = { better: "#009e73", worse: "#d55e00", none: MUTED };

/** Of arms and series: told apart also by people who can't tell red from green (docs/decisions/plots.md). */
const COLOURS = ["#0072b2", "#b8960c", "#5c2a6b", "#56b4e9", "#cc79a7", "#6b4c2a", "#4d4d4d"];
const DASHES = [undefined, "6 3", "2 2", "8 3 2 3"];

export interface Look {
  colour: string;
  /** Past seven slots colours come again, with another dash. */
  dash: string | undefined;
}

export function lookOf(slot: number): Look {
  return {
    colour: COLOURS[slot % COLOURS.length]!,
    dash: DASHES[Math.floor(slot / COLOURS.length) % DASHES.length],
  };
}

/** Text on a filled bar, the same on a light and on a dark page: dark on the light colours. */
export function onFill(slot: number): string {
  return [1, 3, 4].includes(slot % COLOURS.length) ? "#1f2327" : "#fffffe";
}

/** From worst to best: orange, grey, green, the last the darkest, readable on white and on black. */
const STOPS = [
  [213, 94, 0],
  [165, 165, 155],
  [0, 125, 95],
] as const;

/** The colour of a share from 0 (worst) to 1 (best). */
export function rampColour(share: number): string {
  const at = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0)) * (STOPS.length - 1);
  const i = Math.min(STOPS.length - 2, Math.floor(at));
  const mixed = STOPS[i]!.map((from, k) => Math.round(from + (STOPS[i + 1]![k]! - from) * (at - i)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The custom property that stands for a colour in a web page; the page gives them other values in the dark. */
const PROPERTIES: Record<string, string> = {
  [INK]: "--plot-ink",
  [MUTED]: "--plot-muted",
  [GRID]: "--plot-grid",
  [RULE]: "--plot-rule",
  [PAPER]: "--plot-paper",
  [VERDICTS.better]: "--plot-better",
  [VERDICTS.worse]: "--plot-worse",
  ...Object.fromEntries(COLOURS.map((colour, i) => [colour, `--plot-${i + 1}`])),
};
const PAINT = /\b(fill|stroke)="(#[0-9a-f]{6})"/g;

/**
 * A drawing for a web page: each colour is a custom property of the page with the file's colour behind it, and
 * the name is a label instead of a title, which browsers would show as a tip over everything.
 */
export function forPage(svg: string): string {
  const painted = svg.replaceAll(PAINT, (whole, attribute: string, colour: string) => {
    const property = PROPERTIES[colour];
    return property === undefined ? whole : `${attribute}="var(${property},${colour})"`;
  });
  const title = /<title>([^<]*)<\/title>/.exec(painted)?.[1] ?? "";
  return painted.replace(/<title>[^<]*<\/title>/, "").replace("<svg ", `<svg aria-label="${title}" `);
}
