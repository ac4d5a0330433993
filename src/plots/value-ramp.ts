import { numberText } from "./number-text.ts";
import { element, group, textElement } from "./svg.ts";
import { INK, MUTED, SIZES } from "./theme.ts";

/** From worst to best, told apart by people who can't tell red from green, and readable on white and on black. */
const STOPS = [
  [74, 120, 181],
  [140, 150, 160],
  [213, 94, 0],
] as const;

/** The colour of a share from 0 (worst) to 1 (best). */
export function rampColour(share: number): string {
  const at = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0)) * (STOPS.length - 1);
  const i = Math.min(STOPS.length - 2, Math.floor(at));
  const mixed = STOPS[i]!.map((from, k) => Math.round(from + (STOPS[i + 1]![k]! - from) * (at - i)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** What the colours stand for: values at the worst, the middle and the best rank. */
export interface RampText {
  label: string;
  worst: number;
  middle: number;
  best: number;
}

const WIDTH = 150;
const STEPS = 30;

/** A bar of the colours with three values below; 34 pixels high. */
export function rampLegend(
  { label, worst, middle, best }: RampText,
  { right, top }: { right: number; top: number },
): string {
  const left = right - WIDTH;
  const text = { "font-size": SIZES.tick, fill: MUTED };
  return group(
    "ramp",
    ...Array.from({ length: STEPS }, (_, i) =>
      element("rect", {
        ...{ x: left + (i * WIDTH) / STEPS, y: top, width: WIDTH / STEPS + 0.5, height: 9 },
        fill: rampColour(i / (STEPS - 1)),
      }),
    ),
    textElement(label, {
      x: left - 10,
      y: top + 9,
      "text-anchor": "end",
      "font-size": SIZES.tick,
      fill: INK,
    }),
    textElement(numberText(worst, 3), { x: left, y: top + 22, "text-anchor": "middle", ...text }),
    textElement(numberText(middle, 3), {
      x: left + WIDTH / 2,
      y: top + 22,
      "text-anchor": "middle",
      ...text,
    }),
    textElement(numberText(best, 3), { x: right, y: top + 22, "text-anchor": "middle", ...text }),
  );
}
