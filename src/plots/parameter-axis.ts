import { numberText } from "./number-text.ts";
import { scaleOf } from "./scale.ts";

/** How the values of one parameter lie along an axis; an inactive parameter has a place of its own at the beginning. */
export interface ParameterAxis {
  name: string;
  kind: "number" | "category";
  scale: "linear" | "log";
  domain: readonly [number, number];
  /** Of categories; a value is a place in this list. */
  labels: readonly string[];
  hasAbsent: boolean;
  /** The values themselves where they are few. */
  ticks?: readonly number[];
}

export interface PlacedAxis {
  /** null: inactive. */
  at(value: number | null): number;
  ticks: { at: number; text: string }[];
  /** Where values may lie, without the place of the inactive ones. */
  range: readonly [number, number];
}

const ABSENT = "inactive";
/** More names than this can't be read. */
const MOST_LABELS = 24;

/** Places values between two pixels; `gap` is kept free for inactive values at the first. */
export function placeAxis(
  axis: ParameterAxis,
  [from, to]: readonly [number, number],
  { ticks = 5, gap = 26 }: { ticks?: number; gap?: number } = {},
): PlacedAxis {
  const away = Math.sign(to - from) * (axis.hasAbsent ? gap : 0);
  const start = from + away;
  const absent = axis.hasAbsent ? [{ at: from, text: ABSENT }] : [];
  if (axis.kind === "category") {
    const count = axis.labels.length;
    const every = Math.ceil(count / MOST_LABELS);
    const at = (value: number) => start + ((value + 0.5) / Math.max(1, count)) * (to - start);
    return {
      at: (value) => (value === null ? from : at(value)),
      ticks: [
        ...absent,
        ...axis.labels.map((text, i) => ({ at: at(i), text })).filter((_, i) => i % every === 0),
      ],
      range: [start, to],
    };
  }
  const scale = scaleOf(axis.domain, [start, to], { kind: axis.scale, ticks, nice: false });
  const all = axis.ticks ?? scale.ticks;
  const marks = all.length > 2 * ticks ? all.filter((_, i) => i % 3 === 0) : all;
  return {
    at: (value) => (value === null ? from : scale(value)),
    ticks: [...absent, ...marks.map((tick) => ({ at: scale(tick), text: numberText(tick, 3) }))],
    range: [start, to],
  };
}
