import { numberText, percentText } from "../core/number-text.ts";
import type { Curve, CurvesChart, PrecisionArm, PrecisionChart, StepsChart, StepsPanel } from "./chart.ts";
import { figure, type Panel } from "./figure.ts";
import {
  band,
  dot,
  drawing,
  group,
  interval,
  label,
  line,
  type Mark,
  type Point,
  ring,
  rule,
  stairs,
} from "./marks.ts";
import { legendOf } from "./page.ts";
import { element, textElement } from "./svg.ts";
import { textWidth, wrapText } from "./text-width.ts";
import { HALO, INK, lookOf, MUTED, PAPER, SIZES, VERDICTS } from "./theme.ts";

/** Beyond this many thin lines nothing can be seen. */
export const MOST_RUNS = 60;
/** With more arms than this, bands hide each other. */
export const MOST_BANDS = 4;
/** So few settings have a tick each. */
const MOST_SETTINGS = 8;

export function drawCurves(chart: CurvesChart): string {
  const { panels, xLabel, yLabel, xScale, yScale, isPercent, hasDots, shape, ...text } = chart;
  const all = panels.flatMap(({ curves }) => curves);
  const hasRuns = all.reduce((total, { runs = [] }) => total + runs.length, 0) <= MOST_RUNS;
  const settings = [...new Set(all.flatMap(({ x }) => x))].sort((a, b) => a - b);
  const isFew = hasDots && settings.length <= MOST_SETTINGS;
  return figure(
    text,
    panels.map(({ title, curves }) => ({
      title,
      x: {
        ...{ label: xLabel, kind: xScale, fit: "exact", inset: hasDots ? 14 : 0 },
        ...(isFew && { ticks: settings }),
      },
      y: {
        ...{ label: yLabel, kind: yScale, inset: yScale === "log" ? 6 : 0 },
        ...(isPercent && { domain: [0, 1], format: percentText }),
      },
      marks: [
        ...curves.map((curve) => behindCurve(curve, chart, hasRuns)),
        ...curves.flatMap((curve) => curveMarks(curve, chart)),
      ],
    })),
    {
      ...{ height: panels.length > 1 ? 220 : 300, across: 2, sharedX: true },
      legend: legendOf(all),
    },
  );
}

function pointsOf({ x }: Curve, ys: readonly (number | null)[], { shape }: CurvesChart): Point[] {
  const points = x.map((at, i): Point => [at, ys[i] ?? null]);
  return shape === "stairs" ? stairs(points) : points;
}

/** The single runs, and the band over them. */
function behindCurve(curve: Curve, chart: CurvesChart, hasRuns: boolean): Mark {
  const { colour } = lookOf(curve.colour);
  const { x, low = [], high = [], runs = [] } = curve;
  // An interval whose neighbours have none is no band.
  const isAlone = (i: number) => [i - 1, i + 1].every((k) => !isNumber(low[k]) || !isNumber(high[k]));
  const single = x.flatMap((at, i) =>
    isNumber(low[i]) && isNumber(high[i]) && isAlone(i)
      ? [interval(at, [low[i]!, high[i]!], colour, { "stroke-width": 2, "stroke-opacity": 0.6 })]
      : [],
  );
  return group(
    { class: "arm", series: curve.name },
    ...(hasRuns ? runs : []).map((run) =>
      line(pointsOf(curve, run, chart), {
        ...{ class: "run", stroke: colour, "stroke-width": 0.8, "stroke-opacity": 0.22 },
      }),
    ),
    band(pointsOf(curve, high, chart), pointsOf(curve, low, chart), { fill: colour }),
    ...single,
  );
}

function curveMarks(curve: Curve, chart: CurvesChart): Mark[] {
  const { colour, dash } = lookOf(curve.colour);
  const { name, x, y } = curve;
  return [
    line(pointsOf(curve, y, chart), {
      ...{ class: "mean", series: name, stroke: colour, "stroke-width": 2.2 },
      ...{ "stroke-dasharray": dash, "stroke-linejoin": "round" },
    }),
    ...(chart.hasDots ? x : []).map((at, i) =>
      dot(at, y[i] ?? null, {
        ...{ class: "value", series: name, r: 4, fill: colour, stroke: PAPER, "stroke-width": 1.2 },
        tip: curveTip(chart, curve, i),
      }),
    ),
  ];
}

/** What the i-th point of a curve says: a page shows it at the pointer. */
export function curveTip({ xLabel, yLabel, isPercent }: CurvesChart, curve: Curve, i: number): string {
  const text = (value: number) => (isPercent ? percentText(value) : numberText(value));
  const [low, high] = [curve.low?.[i], curve.high?.[i]];
  const range = isNumber(low) && isNumber(high) ? ` [${text(low)}, ${text(high)}]` : "";
  return `${curve.name}\n${xLabel} ${numberText(curve.x[i]!)}\n${yLabel}: ${text(curve.y[i]!)}${range}`;
}

function isNumber(value: number | null | undefined): value is number {
  return Number.isFinite(value);
}

/** More is not shown: the first few seeds say next to nothing. */
const TOP_SHARE = 1.5;
const LINEAR_UP_TO = 80;

export function drawPrecision({ panels, xLabel, yLabel, threshold, ...text }: PrecisionChart): string {
  return figure(
    text,
    panels.map(({ title, arms }): Panel => {
      const drawn = arms.filter(({ n }) => n.length > 0);
      const isFew = drawn.length <= MOST_BANDS;
      const most = Math.max(5, ...drawn.map(({ n }) => n.at(-1)!));
      const isLog = most > LINEAR_UP_TO;
      // Two seeds say next to nothing: their intervals would press everything else to the floor.
      const seen = drawn.flatMap(({ n, middle }) => middle.filter((_, i) => n[i]! >= (isFew ? 4 : 8)));
      const ceiling = Math.min(TOP_SHARE, Math.max(2.2 * threshold, 1.15 * Math.max(0, ...seen)));
      return {
        title,
        x: {
          ...{ label: xLabel, kind: isLog ? "log" : "linear", domain: [isLog ? 2 : 0, most], fit: "exact" },
          format: (n) => String(Math.round(n)),
        },
        y: { label: yLabel, domain: [0, ceiling], fit: "exact", format: percentText },
        marks: [
          ...drawn.map((arm) => precisionMark(arm, ceiling)),
          rule({ y: threshold }, { class: "threshold", stroke: INK, "stroke-dasharray": "5 4" }),
          ...(isFew ? [answers(drawn, threshold)] : []),
          reasons(arms),
        ],
      };
    }),
    { width: 860, height: 288, across: 2, legend: legendOf(panels.flatMap(({ arms }) => arms)) },
  );
}

function precisionMark(arm: PrecisionArm, ceiling: number): Mark {
  const { colour, dash } = lookOf(arm.colour);
  const under = (ys: readonly number[]) =>
    arm.n.map((n, i): Point => [n, isNumber(ys[i]) ? Math.min(ys[i], ceiling) : null]);
  const middle = arm.n.map((n, i): Point => [n, arm.middle[i]! > ceiling ? null : (arm.middle[i] ?? null)]);
  const split = arm.n.filter((n) => n <= arm.pilot).length;
  const stroke = { stroke: colour, "stroke-width": 2.2, tip: precisionTip(arm) };
  return group(
    { class: "arm", series: arm.name },
    band(under(arm.high), under(arm.low), { fill: colour }),
    line(middle.slice(0, split), { class: "middle", ...stroke, "stroke-dasharray": dash }),
    ...(split < arm.n.length
      ? [
          line(middle.slice(Math.max(0, split - 1)), {
            ...{ class: "projection", ...stroke, "stroke-dasharray": "3 3" },
          }),
        ]
      : []),
  );
}

function precisionTip({ name, n, middle, low, high, pilot, enough }: PrecisionArm): string {
  const at = n.indexOf(pilot);
  const range =
    isNumber(low[at]) && isNumber(high[at]) ? ` [${percentText(low[at])}, ${percentText(high[at])}]` : "";
  const now = isNumber(middle[at])
    ? `with ${pilot} seeds: ${percentText(middle[at])}${range}`
    : `${pilot} seeds so far`;
  return [name, now, enough === null ? "the target is not reached" : `enough: n = ${enough}`].join("\n");
}

/** A ring where the whole band is below the line, with its n; numbers that would cover each other move up. */
function answers(arms: readonly PrecisionArm[], threshold: number): Mark {
  const found = arms.flatMap(({ enough, colour }) => (enough === null ? [] : [{ n: enough, colour }]));
  found.sort((a, b) => a.n - b.n);
  return drawing((frame) => {
    const { x, y, box } = frame;
    let right = Number.NEGATIVE_INFINITY;
    let lift = 0;
    const parts = found.map(({ n, colour: slot }) => {
      const { colour } = lookOf(slot);
      const text = `n = ${n}`;
      const half = textWidth(text, SIZES.tick) / 2 + 4;
      lift = x(n) - half < right ? lift + 15 : 0;
      right = x(n) + half;
      const middle = Math.min(x(n), box.left + box.width - half);
      const drop = { x1: x(n), x2: x(n), y1: y(threshold), y2: y(0), stroke: colour };
      return element(
        "g",
        { class: "enough" },
        element("line", { ...drop, "stroke-dasharray": "1 3" }),
        ring(n, threshold, colour, { class: "answer", r: 4.5 }).draw(frame),
        textElement(text, {
          ...{ x: middle, y: y(threshold) - 11 - lift, "text-anchor": "middle", "font-size": SIZES.tick },
          ...{ "font-weight": "bold", fill: colour, ...HALO },
        }),
      );
    });
    return parts.join("");
  });
}

function reasons(arms: readonly PrecisionArm[]): Mark {
  return drawing(({ box }) =>
    arms
      .flatMap(({ name, why }) =>
        why === undefined ? [] : wrapText(`${name}: unknown, because ${why}`, box.width - 24, SIZES.tick),
      )
      .map((text, i) =>
        textElement(text, {
          ...{ x: box.left + 12, y: box.top + 24 + i * 15, "font-size": SIZES.tick, fill: MUTED },
          ...{ class: "why", ...HALO },
        }),
      )
      .join(""),
  );
}

export function drawSteps({ panels, xLabel, yLabel, ...text }: StepsChart): string {
  return figure(
    text,
    panels.map((panel) => ({
      title: panel.title,
      x: { label: xLabel, names: panel.points.map(({ label: name }) => name) },
      y: { label: yLabel },
      marks: stepMarks(panel),
    })),
    { width: 860, height: 160, across: 1 },
  );
}

function stepMarks({ points, steps, levels }: StepsPanel): Mark[] {
  const { colour } = lookOf(0);
  const cuts = [0, ...steps.map(({ at }) => at), points.length];
  return [
    ...levels.map((level, i) =>
      interval([cuts[i]! - 0.5, cuts[i + 1]! - 0.5], level, INK, { class: "level", "stroke-width": 1.6 }),
    ),
    ...points.flatMap(({ label: name, mean, interval: range }, i) => {
      const words = range ? ` [${numberText(range[0])}, ${numberText(range[1])}]` : "";
      const tip = `${name}\n${numberText(mean)}${words}`;
      return [
        ...(range ? [interval(i, range, colour, { "stroke-width": 2, "stroke-opacity": 0.5 })] : []),
        ring(i, mean, colour, { class: "point", r: 3.6, "stroke-width": 2, tip }),
      ];
    }),
    ...steps.flatMap(({ at, label: text, verdict }) => {
      const paint = VERDICTS[verdict];
      return [
        rule(
          { x: at - 0.5 },
          { class: "step", stroke: paint, "stroke-width": 1.6, "stroke-dasharray": "5 3" },
        ),
        label(
          text,
          [at - 0.5, "top"],
          { dx: 5, dy: 11, "font-weight": "bold", fill: paint, ...HALO },
          { isKeptInside: true },
        ),
      ];
    }),
  ];
}
