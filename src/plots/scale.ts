import { rounded } from "../core/number-text.ts";
import { textWidth } from "./text-width.ts";

/** Places a value on the page. */
export interface Scale {
  /** NaN for what has no place: what is no number, and null unless the axis has a place for it. */
  (value: number | null): number;
  readonly domain: readonly [number, number];
  readonly range: readonly [number, number];
  readonly ticks: readonly (number | null)[];
}

interface ScaleOptions {
  kind?: "linear" | "log";
  ticks?: number;
  /** Widen the domain to whole ticks. */
  nice?: boolean;
}

/** A linear or logarithmic scale from values to pixels. A domain without width is opened around its value. */
export function scaleOf(
  domain: readonly [number, number],
  range: readonly [number, number],
  { kind = "linear", ticks = 5, nice = true }: ScaleOptions = {},
): Scale {
  let [low, high] = opened(domain, kind);
  const step = tickStep(low, high, ticks);
  if (nice && kind === "linear") {
    [low, high] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
  }
  const along = kind === "log" ? Math.log : (value: number) => value;
  const [from, to] = [along(low), along(high)];
  const scale = (value: number | null) =>
    value === null ? Number.NaN : range[0] + ((along(value) - from) / (to - from)) * (range[1] - range[0]);
  const marks = kind === "log" ? logTicks(low, high) : linearTicks(low, high, step);
  return Object.assign(scale, { domain: [low, high] as const, range, ticks: marks });
}

function opened([low, high]: readonly [number, number], kind: "linear" | "log"): [number, number] {
  if (low < high) return [low, high];
  if (kind === "log") return [low / 2, low * 2];
  const half = low === 0 ? 1 : Math.abs(low) * 0.1;
  return [low - half, low + half];
}

/** 1, 2 or 5 times a power of ten, so that about `count` steps fill the domain. */
function tickStep(low: number, high: number, count: number): number {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const times = raw / power;
  return power * (times < Math.SQRT2 ? 1 : times < Math.sqrt(10) ? 2 : times < Math.sqrt(50) ? 5 : 10);
}

function linearTicks(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => rounded((first + i) * step, 12));
}

/** 1, 2, 5, 10, ... within the domain; powers of ten alone where that would be too many. */
function logTicks(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    powers.push(10 ** power);
  const inside = (tick: number) => tick >= low * 0.999 && tick <= high * 1.001;
  const fine = powers.flatMap((power) => [power, 2 * power, 5 * power]).filter(inside);
  return fine.length > 10 ? powers.filter(inside) : fine;
}

/** The smallest and the largest of those values that are numbers. */
export function extent(values: Iterable<number | null>): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** How values lie along one side of a panel. */
export interface Axis {
  /** A name, with the unit in parentheses where there is one. */
  label?: string;
  kind?: "linear" | "log" | undefined;
  /** What must be in sight; else what the marks span. */
  domain?: readonly [number, number];
  /** Widened to whole ticks, by a little air (but not beyond a zero), or not at all. */
  fit?: "nice" | "air" | "exact";
  /** Names instead of numbers: a value is a place in this list. */
  names?: readonly string[];
  /** Small, below each name. */
  details?: readonly string[];
  /** Along y, names are rows from the top, unless they go upwards. */
  isUpward?: boolean;
  /** The values that get a tick, where they are few. */
  ticks?: readonly number[];
  /** How the place of null is called; without a name null has none. */
  absent?: string;
  /** Only whole numbers have ticks. */
  isWhole?: boolean;
  format?: (value: number) => string;
  /** Without ticks and lines. */
  isBare?: boolean;
  /** With ticks, without lines through the panel. */
  isGridless?: boolean;
  /** Pixels between the frame and the first and last value. */
  inset?: number;
}

/** Between the place of null and the others. */
const ABSENT_GAP = 48;
const SPACE = 10;

/** The scale of an axis between two pixels, with a tick about `every` so many, fewer where their texts need more. */
export function placeAxis(
  axis: Axis,
  span: readonly [number, number],
  [first, last]: readonly [number, number],
  { widthOf, every, gap = ABSENT_GAP }: { widthOf: (value: number) => number; every: number; gap?: number },
): Scale {
  const { kind = "linear", fit = "nice", inset = 0, absent, names, ticks, isWhole } = axis;
  const way = Math.sign(last - first);
  const [zero, to] = [first + way * inset, last - way * inset];
  const from = absent === undefined ? zero : zero + way * gap;
  const room = Math.abs(to - from);
  const finish = (scale: Scale, marks: readonly number[]): Scale =>
    Object.assign((value: number | null) => (value === null && absent !== undefined ? zero : scale(value)), {
      ...{ domain: scale.domain, range: [first, last] as const },
      ticks: absent === undefined ? marks : [null, ...marks],
    });
  if (names) {
    const scale = scaleOf([-0.5, names.length - 0.5], [from, to], { nice: false });
    return finish(
      scale,
      names.map((_, i) => i),
    );
  }
  const domain = kind === "linear" && fit === "air" ? aired(span) : span;
  for (let count = Math.max(2, Math.floor(room / every)); ; count--) {
    const scale = scaleOf(domain, [from, to], { kind, ticks: count, nice: fit === "nice" });
    const marks = (ticks ?? (scale.ticks as readonly number[])).filter(
      (at) => Number.isFinite(scale(at)) && (!isWhole || Number.isInteger(at)),
    );
    const apart = marks.length > 1 ? Math.abs(scale(marks[1]!) - scale(marks[0]!)) : room;
    if (count <= 2 || ticks || kind === "log" || Math.max(...marks.map(widthOf)) + SPACE <= apart)
      return finish(scale, marks);
  }
}

/** Where zero is near, it is shown: then places are read as sizes, rightly. */
function aired([low, high]: readonly [number, number]): [number, number] {
  const air = (high - low) * 0.04;
  const isNear = low >= 0 && low < 0.3 * high;
  return [isNear ? 0 : low - air, high === 0 ? 0 : high + air];
}

/** Those of some texts in a row that can stand without touching. */
export function withoutOverlaps<T extends { at: number; text: string }>(
  texts: readonly T[],
  size: number,
): T[] {
  const kept: (T & { half: number })[] = [];
  for (const one of texts) {
    const half = textWidth(one.text, size) / 2;
    if (kept.every((other) => Math.abs(other.at - one.at) >= other.half + half + 5))
      kept.push({ ...one, half });
  }
  return kept;
}
