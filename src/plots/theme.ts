/** The look that all charts share. The font is bundled for PNG; a browser falls back to one of the same widths. */
export const FONT = "DejaVu Sans, Verdana, sans-serif";
export const INK = "#1f2328";
export const MUTED = "#59636e";
export const GRID = "#e4e7eb";
export const RULE = "#8c959f";
export const PAPER = "#ffffff";

/** Keeps text readable over lines. */
export const HALO = { stroke: PAPER, "stroke-width": 3, "paint-order": "stroke" } as const;

export const SIZES = { title: 16, label: 12, tick: 11, note: 11 } as const;

/** Colours that people who can't tell red from green tell apart (Okabe and Ito, 2008), without the pale yellow. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d"];
const DASHES = [undefined, "6 3", "2 2", "8 3 2 3"];

export interface Look {
  colour: string;
  /** Past seven arms colours come again, with another dash. */
  dash: string | undefined;
}

export function lookOf(index: number): Look {
  return {
    colour: COLOURS[index % COLOURS.length]!,
    dash: DASHES[Math.floor(index / COLOURS.length) % DASHES.length],
  };
}

/** The custom property that stands for a colour in a web page; the page gives them other values in the dark. */
export const PROPERTIES: Record<string, string> = {
  [INK]: "--plot-ink",
  [MUTED]: "--plot-muted",
  [GRID]: "--plot-grid",
  [RULE]: "--plot-rule",
  [PAPER]: "--plot-paper",
  ...Object.fromEntries(COLOURS.map((colour, i) => [colour, `--plot-${i + 1}`])),
};
