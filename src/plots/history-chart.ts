import { extent } from "./curves-chart.ts";
import { numberText } from "./number-text.ts";
import { page } from "./page.ts";
import { axes } from "./panel.ts";
import { scaleOf } from "./scale.ts";
import { element, group, linePath } from "./svg.ts";
import { INK, lookOf, MUTED, PAPER } from "./theme.ts";

export interface HistorySpec {
  title: string;
  subtitle: string;
  xLabel: string;
  yLabel: string;
  goal: "minimize" | "maximize";
  points: HistoryPoint[];
  /** Beyond this, towards worse, values are drawn at the edge; null where none is. */
  fence: number | null;
  notes: string[];
}

export interface HistoryPoint {
  number: number;
  /** null where it failed. */
  value: number | null;
  interval: readonly [number, number] | null;
  /** "missed": it does not keep the constraints. */
  state: "ok" | "missed" | "stopped" | "unfinished" | "failed";
  tip: string;
}

const WIDTH = 760;
const HEIGHT = 320;
const LEFT = 92;
const FULL = lookOf(0).colour;
const BEST = lookOf(1).colour;
/** With more points than this only those that were best so far have bars. */
const MOST_BARS = 30;

/** Every point in the order in which it came, and the best so far. */
export function historyChart(spec: HistorySpec): string {
  const { points, fence, goal } = spec;
  const worse = goal === "maximize" ? Math.max : Math.min;
  // What was Infinity is null after JSON; a value beyond the fence stands on it.
  const shown = (value: number) => (fence === null ? value : worse(value, fence));
  const there = points.filter((point) => point.value !== null);
  const best = bestSoFar(points, goal);
  const records = new Set(best.map(({ number }) => number));
  const hasBar = (number: number) => points.length <= MOST_BARS || records.has(number);
  const draw = (top: number) => {
    const box = { left: LEFT, top: top + 14, width: WIDTH - LEFT - 36, height: HEIGHT - 78 };
    const last = points.reduce((a, { number }) => Math.max(a, number), 1);
    const x = scaleOf([Math.min(1, last - 1), last], [box.left + 8, box.left + box.width - 8], {
      nice: false,
      ticks: 8,
    });
    const whole = { ...x, ticks: x.ticks.filter(Number.isInteger) };
    const xScale = Object.assign((value: number) => x(value), whole);
    const ends = there.flatMap(({ number, value, interval }) => [
      value!,
      ...(hasBar(number) ? (interval ?? []) : []),
    ]);
    const y = scaleOf(there.length === 0 ? [0, 1] : extent(ends.map(shown)), [
      box.top + box.height - 12,
      box.top + 4,
    ]);
    const marks = points.map((point) => {
      const at = x(point.number);
      if (point.value === null) return cross(at, box.top + box.height - 6, point.tip);
      const px = y(shown(point.value));
      const isBeyond = shown(point.value) !== point.value;
      const bar =
        point.interval && hasBar(point.number)
          ? element("line", {
              ...{ class: "interval", x1: at, x2: at, stroke: FULL, "stroke-opacity": 0.45 },
              ...{ y1: y(shown(point.interval[0])), y2: y(shown(point.interval[1])) },
            })
          : "";
      return bar + (isBeyond ? wedge(at, px, goal, point.tip) : dot(at, px, point));
    });
    return [
      axes(box, {
        x: { scale: xScale, label: spec.xLabel, format: (value) => numberText(value) },
        y: { scale: y, label: spec.yLabel },
      }),
      ...marks,
      element("path", {
        ...{ class: "best", fill: "none", stroke: BEST, "stroke-width": 2 },
        d: linePath(steps(best, last).map(([number, value]) => [x(number), y(shown(value))] as const)),
      }),
      ...best.map(({ number, value, tip }) =>
        element("circle", {
          ...{ class: "record", cx: x(number), cy: y(shown(value)), r: 4.5, fill: BEST, "data-tip": tip },
        }),
      ),
    ].join("");
  };
  const legend = [
    { name: "point", look: { colour: FULL, dash: undefined }, isBox: true },
    { name: "best so far", look: { colour: BEST, dash: undefined } },
  ];
  return page({ ...spec, legend }, { width: WIDTH, height: HEIGHT, draw });
}

/** Only full results can be best. */
function bestSoFar(points: readonly HistoryPoint[], goal: HistorySpec["goal"]) {
  const records: { number: number; value: number; tip: string }[] = [];
  for (const { number, value, state, tip } of points) {
    if (state !== "ok" || value === null) continue;
    const before = records.at(-1)?.value;
    if (before === undefined || (goal === "maximize" ? value > before : value < before))
      records.push({ number, value, tip: `best so far: ${tip}` });
  }
  return records;
}

function steps(best: readonly { number: number; value: number }[], last: number): [number, number][] {
  const path = best.flatMap(({ number, value }, i): [number, number][] =>
    i === 0
      ? [[number, value]]
      : [
          [number, best[i - 1]!.value],
          [number, value],
        ],
  );
  const end = best.at(-1);
  return end ? [...path, [last, end.value]] : path;
}

function dot(cx: number, cy: number, { state, tip }: HistoryPoint): string {
  const isFull = state === "ok";
  return element("circle", {
    ...{ class: `point ${state}`, cx, cy, r: 3.6, "data-tip": tip },
    ...(isFull
      ? { fill: FULL, "fill-opacity": 0.6 }
      : { fill: PAPER, stroke: state === "missed" ? MUTED : FULL, "stroke-width": 1.4 }),
    ...(state === "missed" && { "stroke-dasharray": "2 1.5" }),
  });
}

function cross(x: number, y: number, tip: string): string {
  const arm = (dy: number) =>
    element("line", { x1: x - 3.5, x2: x + 3.5, y1: y - dy, y2: y + dy, stroke: INK, "stroke-width": 1.5 });
  return element("g", { class: "point failed", "data-tip": tip }, arm(3.5), arm(-3.5));
}

/** Points towards where the value lies. */
function wedge(x: number, y: number, goal: HistorySpec["goal"], tip: string): string {
  const tall = goal === "maximize" ? 5 : -5;
  return group(
    "point beyond",
    element("path", {
      d: `M${x - 4},${y}L${x + 4},${y}L${x},${y + tall}Z`,
      fill: FULL,
      "fill-opacity": 0.6,
      "data-tip": tip,
    }),
  );
}
