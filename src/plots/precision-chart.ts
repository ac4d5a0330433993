import { percentText } from "./number-text.ts";
import { page } from "./page.ts";
import { axes, type Box } from "./panel.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { bandPath, element, group, linePath, textElement } from "./svg.ts";
import { textWidth, wrapText } from "./text-width.ts";
import { HALO, INK, type Look, lookOf, MUTED, PAPER, SIZES } from "./theme.ts";

export interface PrecisionSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  yLabel: string;
  threshold: number;
  /** One or two, such as AUC and slope. */
  panels: PrecisionPanel[];
  notes: string[];
}

export interface PrecisionPanel {
  title: string;
  arms: PrecisionArm[];
}

export interface PrecisionArm {
  name: string;
  n: readonly number[];
  middle: readonly number[];
  low: readonly number[];
  high: readonly number[];
  /** Seeds that there are; the curve beyond is a projection. */
  pilot: number;
  /** The n that is enough, if it is on the curve. */
  enough: number | null;
  /** In place of a curve: why there is none. */
  why?: string;
}

const WIDTH = 860;
const HEIGHT = 384;
const TOP_SHARE = 1.5;
const LINEAR_UP_TO = 80;
/** With more arms than this, numbers at the curves would cover each other. */
const FEW = 4;

/** Precision against the number of seeds, a panel a summary, with the threshold and the n that reaches it. */
export function precisionChart(spec: PrecisionSpec): string {
  const gap = 84;
  const columns = spec.panels.length;
  const draw = (top: number) =>
    spec.panels
      .map((panel, i) => {
        const width = (WIDTH - 28 - columns * gap) / columns;
        const box = { left: gap + i * (width + gap), top: top + 34, width, height: HEIGHT - 96 };
        return drawPanel(box, panel, spec);
      })
      .join("");
  const names = new Set(spec.panels.flatMap(({ arms }) => arms.map(({ name }) => name)));
  const legend = names.size > 1 ? [...names].map((name, i) => ({ name, look: lookOf(i) })) : [];
  return page({ ...spec, legend }, { width: WIDTH, height: HEIGHT, draw });
}

function drawPanel(box: Box, panel: PrecisionPanel, spec: PrecisionSpec): string {
  const drawn = panel.arms.map((arm, i) => ({ arm, look: lookOf(i) })).filter(({ arm }) => arm.n.length > 0);
  const most = Math.max(5, ...drawn.map(({ arm }) => arm.n.at(-1)!));
  const x = scaleOf([most > LINEAR_UP_TO ? 2 : 0, most], [box.left, box.left + box.width], {
    kind: most > LINEAR_UP_TO ? "log" : "linear",
    nice: false,
    ticks: 6,
  });
  // Two seeds say next to nothing: their intervals would press everything else to the floor.
  const first = drawn.length > FEW ? 8 : 4;
  const seen = drawn.flatMap(({ arm }) => arm.middle.filter((_, i) => arm.n[i]! >= first));
  const ceiling = Math.min(TOP_SHARE, Math.max(2.2 * spec.threshold, 1.15 * Math.max(0, ...seen)));
  const y = scaleOf([0, ceiling], [box.top + box.height, box.top]);
  const line = y(spec.threshold);
  return group(
    "panel",
    axes(box, {
      x: { scale: x, label: spec.xLabel, format: (n) => String(Math.round(n)) },
      y: { scale: y, label: spec.yLabel, format: percentText },
      title: panel.title,
    }),
    ...drawn.map(({ arm, look }) => drawArm(arm, { x, y, look })),
    element("line", {
      ...{ class: "threshold", x1: box.left, x2: box.left + box.width, y1: line, y2: line },
      ...{ stroke: INK, "stroke-dasharray": "5 4", "stroke-width": 1.2 },
    }),
    ...(drawn.length > FEW ? [] : answers(drawn, { x, y, line })),
    ...reasons(box, panel),
  );
}

function drawArm(arm: PrecisionArm, { x, y, look }: { x: Scale; y: Scale; look: Look }): string {
  const ceiling = y.domain[1];
  // What was NaN is null after JSON, which would count as zero.
  const at = (ys: readonly number[]) =>
    ys.map((v, i) => [x(arm.n[i]!), Number.isFinite(v) ? y(Math.min(v, ceiling)) : Number.NaN] as const);
  const middle = arm.middle.map(
    (v, i) => [x(arm.n[i]!), !Number.isFinite(v) || v > ceiling ? Number.NaN : y(v)] as const,
  );
  const split = arm.n.filter((n) => n <= arm.pilot).length;
  const { colour, dash } = look;
  const stroke = { fill: "none", stroke: colour, "stroke-width": 2.2, "data-tip": tipOf(arm) };
  const parts = [
    element("path", {
      ...{ class: "band", d: bandPath(at(arm.high), at(arm.low)), fill: colour, "fill-opacity": 0.18 },
    }),
    element("path", {
      class: "middle",
      d: linePath(middle.slice(0, split)),
      ...stroke,
      "stroke-dasharray": dash,
    }),
  ];
  if (split < arm.n.length)
    parts.push(
      element("path", {
        ...{ class: "projection", d: linePath(middle.slice(Math.max(0, split - 1))), ...stroke },
        "stroke-dasharray": "3 3",
      }),
    );
  return element("g", { class: "arm", "data-series": arm.name }, ...parts);
}

function tipOf({ name, n, middle, low, high, pilot, enough }: PrecisionArm): string {
  const at = n.indexOf(pilot);
  const range =
    at >= 0 && Number.isFinite(low[at]) && Number.isFinite(high[at])
      ? ` [${percentText(low[at]!)}, ${percentText(high[at]!)}]`
      : "";
  const now =
    at >= 0 && Number.isFinite(middle[at])
      ? `with ${pilot} seeds: ${percentText(middle[at]!)}${range}`
      : `${pilot} seeds so far`;
  return [name, now, enough === null ? "the target is not reached" : `enough: n = ${enough}`].join("\n");
}

/** A ring where the whole band is below the line, with its n; numbers that would cover each other move up. */
function answers(
  drawn: readonly { arm: PrecisionArm; look: Look }[],
  { x, y, line }: { x: Scale; y: Scale; line: number },
): string[] {
  const found = drawn.flatMap(({ arm, look }) => (arm.enough === null ? [] : [{ n: arm.enough, look }]));
  found.sort((a, b) => a.n - b.n);
  let right = Number.NEGATIVE_INFINITY;
  let lift = 0;
  return found.map(({ n, look }) => {
    const label = `n = ${n}`;
    const half = textWidth(label, SIZES.tick) / 2 + 4;
    lift = x(n) - half < right ? lift + 15 : 0;
    right = x(n) + half;
    const last = x(x.domain[1]) - half;
    return group(
      "enough",
      element("line", {
        ...{ x1: x(n), x2: x(n), y1: line, y2: y(0), stroke: look.colour, "stroke-dasharray": "1 3" },
      }),
      element("circle", {
        ...{ cx: x(n), cy: line, r: 4.5, fill: PAPER, stroke: look.colour, "stroke-width": 2.2 },
      }),
      textElement(label, {
        ...{ x: Math.min(x(n), last), y: line - 11 - lift, "font-size": SIZES.tick, "font-weight": "bold" },
        ...{ fill: look.colour, "text-anchor": "middle", ...HALO },
      }),
    );
  });
}

function reasons(box: Box, { arms }: PrecisionPanel): string[] {
  const lines = arms.flatMap(({ name, why }) =>
    why === undefined ? [] : wrapText(`${name}: unknown, because ${why}`, box.width - 24, SIZES.tick),
  );
  return lines.map((line, i) =>
    textElement(line, {
      ...{ x: box.left + 12, y: box.top + 24 + i * 15, "font-size": SIZES.tick, fill: MUTED, class: "why" },
    }),
  );
}
