import { extent } from "./curves-chart.ts";
import { numberText } from "./number-text.ts";
import { page } from "./page.ts";
import { axes } from "./panel.ts";
import { scaleOf } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { shortText, textWidth } from "./text-width.ts";
import { INK, lookOf, MUTED, PAPER, SIZES } from "./theme.ts";

export interface ArmsSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  arms: ArmRow[];
  /** What bars, dots and letters mean. */
  notes: string[];
}

export interface ArmRow {
  name: string;
  values: readonly number[];
  mean: number;
  /** Null where no interval can be given; the row then says why in `remark`. */
  interval: { low: number; high: number } | null;
  remark?: string;
  /** Arms that share a letter can't be told apart. */
  letters?: string;
}

const WIDTH = 760;
const ROW = 44;
const LABEL = 340;

/** Arms below each other: every value as a dot, the mean and its interval over them. */
export function armsChart(spec: ArmsSpec): string {
  const height = spec.arms.length * ROW + 92;
  const widest = Math.max(...spec.arms.map(({ name }) => textWidth(name, SIZES.label)));
  const left = 36 + Math.min(LABEL, Math.max(60, widest));
  const width = WIDTH + Math.max(0, left - 270);
  const hasLetters = spec.arms.some(({ letters }) => letters !== undefined);
  const draw = (top: number) => {
    const box = {
      left,
      top: top + 22,
      width: width - left - (hasLetters ? 92 : 40),
      height: spec.arms.length * ROW,
    };
    const ends = spec.arms.flatMap(({ values, mean, interval }) => [
      ...values,
      mean,
      ...(interval ? [interval.low, interval.high] : []),
    ]);
    const x = scaleOf(extent(ends), [box.left, box.left + box.width], { ticks: Math.floor(box.width / 100) });
    const y = scaleOf([0, 1], [box.top, box.top + box.height]);
    const right = box.left + box.width;
    const rows = spec.arms.map((arm, i) => {
      const at = box.top + (i + 0.5) * ROW;
      const { colour } = lookOf(i);
      const parts = arm.values.map((value, k) =>
        element("circle", {
          ...{ class: "value", cx: x(value), cy: at + 9 + spread(k) * 7, r: 2.6 },
          ...{ fill: colour, "fill-opacity": 0.45 },
        }),
      );
      if (arm.interval) {
        const ends = { x1: x(arm.interval.low), x2: x(arm.interval.high), y1: at - 6, y2: at - 6 };
        parts.push(element("line", { class: "interval", ...ends, stroke: colour, "stroke-width": 3.5 }));
      }
      parts.push(
        element("circle", {
          ...{ class: "mean", cx: x(arm.mean), cy: at - 6, r: 5.5 },
          ...{ fill: PAPER, stroke: colour, "stroke-width": 2.5 },
        }),
        textElement(shortText(arm.name, LABEL, SIZES.label), {
          ...{ x: left - 12, y: at - 2, "font-size": SIZES.label, fill: INK, "text-anchor": "end" },
        }),
        textElement(`n = ${arm.values.length}`, {
          ...{ x: left - 12, y: at + 13, "font-size": SIZES.tick, fill: MUTED, "text-anchor": "end" },
        }),
      );
      if (arm.remark !== undefined)
        parts.push(
          textElement(shortText(arm.remark, box.width, SIZES.tick), {
            ...{ x: right, y: at - 14, "font-size": SIZES.tick, fill: MUTED, "text-anchor": "end" },
          }),
        );
      if (arm.letters !== undefined)
        parts.push(
          textElement(arm.letters, {
            ...{ class: "letters", x: right + 22, y: at, "font-size": 13, "font-weight": "bold", fill: INK },
          }),
        );
      return group("arm", ...parts);
    });
    const head = hasLetters
      ? textElement("group", { x: right + 16, y: box.top - 8, "font-size": SIZES.tick, fill: MUTED })
      : "";
    const frame = axes(box, {
      x: { scale: x, label: spec.xLabel, format: (value) => numberText(value) },
      y: { scale: y, label: "", isBlank: true },
    });
    return [frame, head, ...rows].join("");
  };
  return page(spec, { width, height, draw });
}

/** Places dots so that neighbours don't cover each other: the same for the same index, between 0 and 1. */
export function spread(index: number): number {
  return (index * 0.618033988749895) % 1;
}
