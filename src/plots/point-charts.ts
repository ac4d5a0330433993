import { numberText } from "../core/number-text.ts";
import type {
  Goal,
  HistoryChart,
  HistoryPoint,
  PairedChart,
  ScatterChart,
  ScatterPoint,
  Verdict,
} from "./chart.ts";
import { figure } from "./figure.ts";
import { dot, group, interval, line, type Mark, type Point, ring, rule, spread, symbol } from "./marks.ts";
import { legendOf } from "./page.ts";
import { nameMarks } from "./place-names.ts";
import { INK, lookOf, MUTED, PAPER, RULE, VERDICTS } from "./theme.ts";

export function drawPaired(chart: PairedChart): string {
  const {
    pairs,
    names,
    yLabel,
    differenceLabel,
    goal,
    difference,
    interval: range,
    isRatio,
    ...text
  } = chart;
  const gapOf = ({ first, second }: PairedChart["pairs"][number]) =>
    isRatio ? 100 * (second / first - 1) : second - first;
  const unit = isRatio ? " %" : "";
  const colourOf = (gap: number) => VERDICTS[verdictOf(gap, goal)];
  const tipOf = (pair: PairedChart["pairs"][number]) =>
    `${pair.name}\n${names[0]}: ${numberText(pair.first)}\n${names[1]}: ${numberText(pair.second)}\ndifference ${numberText(gapOf(pair))}${unit}`;
  const words = range ? ` [${numberText(range[0])}, ${numberText(range[1])}]` : "";
  const meanTip = `mean difference ${numberText(difference)}${unit}${words}`;
  const values = pairs.map((pair) =>
    group(
      { class: "pair", tip: tipOf(pair) },
      line(
        [
          [0, pair.first],
          [1, pair.second],
        ],
        { stroke: colourOf(pair.second - pair.first), "stroke-width": 1.4, "stroke-opacity": 0.6 },
      ),
      dot(0, pair.first, { r: 3, fill: INK }),
      dot(1, pair.second, { r: 3, fill: INK }),
    ),
  );
  const differences = pairs.map((pair, i) => {
    const gap = gapOf(pair);
    const paint = { class: "difference", fill: colourOf(gap), "fill-opacity": 0.75, tip: tipOf(pair) };
    return dot((spread(i) - 0.5) * 0.7, gap, paint);
  });
  return figure(
    text,
    [
      { title: "each pair", x: { names }, y: { label: yLabel }, marks: values },
      {
        title: "their differences",
        x: { names: ["pairs", "mean"] },
        y: { label: differenceLabel },
        marks: [
          rule({ y: 0 }),
          ...differences,
          ...(range ? [interval(1, range, INK, { "stroke-width": 3, tip: meanTip })] : []),
          ring(1, difference, INK, { r: 6, tip: meanTip }),
        ],
      },
    ],
    { height: 300, across: 2 },
  );
}

function verdictOf(gap: number, goal: Goal | null): Verdict {
  if (goal === null || gap === 0) return "none";
  return gap > 0 === (goal === "maximize") ? "better" : "worse";
}

/** More names than this cover each other. */
const MOST_NAMES = 12;

export function drawScatter({ panels, xLabel, yLabel, ...text }: ScatterChart): string {
  const isNamed = panels.length === 1 && panels[0]!.points.length <= MOST_NAMES;
  const all = panels.flatMap(({ points }) => points);
  const faint = new Set(all.filter(({ isFaint }) => isFaint).map(({ name }) => name));
  const legend = legendOf(all, true).map((entry) =>
    faint.has(entry.name) ? { ...entry, look: { colour: RULE, dash: undefined } } : entry,
  );
  return figure(
    text,
    panels.map(({ title, points, front }) => ({
      title,
      x: { label: xLabel, fit: "air", inset: 8 },
      y: { label: yLabel, fit: "air", inset: 8 },
      marks: [
        line(
          front.map((k): Point => [points[k]!.x, points[k]!.y]),
          { class: "front", stroke: MUTED, "stroke-width": 1.5, "stroke-dasharray": "5 4" },
        ),
        ...points.map((point, k) => scatterMark(point, front.includes(k))),
        nameMarks(
          points.map((point) => ({ ...point, name: point.label ?? (isNamed ? point.name : "") })),
          front,
        ),
      ],
    })),
    { height: panels.length > 1 ? 238 : 280, across: 2, legend: isNamed ? [] : legend },
  );
}

function scatterMark(
  { name, x, y, xInterval, yInterval, tip, ...point }: ScatterPoint,
  isFront: boolean,
): Mark {
  const colour = point.isFaint ? RULE : lookOf(point.colour).colour;
  const thin = { "stroke-width": 1.8, "stroke-opacity": 0.6 };
  return group(
    { class: "arm", series: name },
    ...(xInterval ? [interval(xInterval, y, colour, thin)] : []),
    ...(yInterval ? [interval(x, yInterval, colour, thin)] : []),
    dot(x, y, {
      ...{ class: "point", r: isFront ? 6.5 : point.isFaint ? 3.5 : 5, fill: colour, "fill-opacity": 0.85 },
      ...(isFront && { stroke: INK, "stroke-width": 1.6 }),
      tip: tip ?? `${name}: ${numberText(x)}, ${numberText(y)}`,
    }),
  );
}

/** With more points than this only those that were best so far have bars. */
const MOST_BARS = 30;

export function drawHistory({ points, goal, fence, xLabel, yLabel, ...text }: HistoryChart): string {
  const [full, good] = [lookOf(0).colour, VERDICTS.better];
  const shown = fenced(fence, goal);
  const best = bestSoFar(points, goal);
  const records = new Set(best.map(({ number }) => number));
  const last = points.reduce((most, { number }) => Math.max(most, number), 1);
  const pointMarks = (point: HistoryPoint): Mark[] => {
    const { number, value, interval: range, tip } = point;
    if (value === null) return [symbol(cross, [number, "bottom"], { ...CROSS, dy: -6, tip })];
    const at = shown(value);
    const hasBar = range && (points.length <= MOST_BARS || records.has(number));
    const thin = { "stroke-width": 1, "stroke-opacity": 0.45 };
    return [
      ...(hasBar ? [interval(number, [shown(range[0]), shown(range[1])], full, thin)] : []),
      at === value
        ? dot(number, at, { ...lookOfState(point, full), r: 3.6, tip })
        : symbol(wedge(goal), [number, at], { class: "point beyond", fill: full, "fill-opacity": 0.6, tip }),
    ];
  };
  const stairsOfBest = best.flatMap(({ number, value }, i): Point[] =>
    i === 0
      ? [[number, shown(value)]]
      : [
          [number, shown(best[i - 1]!.value)],
          [number, shown(value)],
        ],
  );
  const end = best.at(-1);
  if (end) stairsOfBest.push([last, shown(end.value)]);
  return figure(
    text,
    [
      {
        x: { label: xLabel, domain: [Math.min(1, last - 1), last], fit: "exact", isWhole: true, inset: 8 },
        y: { label: yLabel, fit: "air", inset: 12 },
        marks: [
          ...points.flatMap(pointMarks),
          line(stairsOfBest, { class: "best", stroke: good, "stroke-width": 2 }),
          ...best.map(({ number, value, tip }) =>
            dot(number, shown(value), { class: "record", r: 4.5, fill: good, tip }),
          ),
        ],
      },
    ],
    {
      height: 250,
      legend: [
        { name: "point", look: { colour: full, dash: undefined }, isBox: true },
        { name: "best so far", look: { colour: good, dash: undefined } },
      ],
    },
  );
}

/** A value beyond the fence stands on it. What was Infinity is null after JSON. */
export function fenced(fence: number | null, goal: Goal): (value: number) => number {
  const worse = goal === "maximize" ? Math.max : Math.min;
  return (value) => (fence === null ? value : worse(value, fence));
}

/** Only full results can be best. */
function bestSoFar(points: readonly HistoryPoint[], goal: Goal) {
  const records: { number: number; value: number; tip: string }[] = [];
  for (const { number, value, state, tip } of points) {
    if (state !== "ok" || value === null) continue;
    const before = records.at(-1)?.value;
    if (before === undefined || (goal === "maximize" ? value > before : value < before))
      records.push({ number, value, tip: `best so far: ${tip}` });
  }
  return records;
}

function lookOfState({ state }: HistoryPoint, colour: string) {
  const name = { class: `point ${state}` };
  if (state === "ok") return { ...name, fill: colour, "fill-opacity": 0.6 };
  const hollow = { ...name, fill: PAPER, stroke: state === "missed" ? MUTED : colour, "stroke-width": 1.4 };
  return state === "missed" ? { ...hollow, "stroke-dasharray": "2 1.5" } : hollow;
}

const CROSS = { class: "point failed", fill: "none", stroke: INK, "stroke-width": 1.5 };

function cross(x: number, y: number): string {
  return `M${x - 3.5},${y - 3.5}L${x + 3.5},${y + 3.5}M${x - 3.5},${y + 3.5}L${x + 3.5},${y - 3.5}`;
}

/** Points towards where the value lies. */
function wedge(goal: Goal): (x: number, y: number) => string {
  const tall = goal === "maximize" ? 5 : -5;
  return (x, y) => `M${x - 4},${y}L${x + 4},${y}L${x},${y + tall}Z`;
}
