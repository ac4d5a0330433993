import { spread } from "./arms-chart.ts";
import { extent } from "./curves-chart.ts";
import { page } from "./page.ts";
import { axes, type Box } from "./panel.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { element, group, textElement } from "./svg.ts";
import { shortText } from "./text-width.ts";
import { INK, lookOf, PAPER, RULE, SIZES } from "./theme.ts";

export interface PairedSpec {
  title: string;
  subtitle: string;
  yLabel: string;
  differenceLabel: string;
  /** The arm that is subtracted, and the other one. */
  names: readonly [string, string];
  pairs: { name: string; first: number; second: number }[];
  difference: number;
  interval: { low: number; high: number } | null;
  notes: string[];
}

const WIDTH = 760;
const HEIGHT = 392;

/** Pairs as lines from arm to arm, and beside them their differences with the mean difference's interval. */
export function pairedChart(spec: PairedSpec): string {
  const draw = (top: number) => {
    const size = { top: top + 26, height: HEIGHT - 88 };
    const left: Box = { ...size, left: 100, width: 280 };
    const right: Box = { ...size, left: 490, width: 240 };
    return valuesPanel(left, spec) + differencesPanel(right, spec);
  };
  return page(spec, { width: WIDTH, height: HEIGHT, draw });
}

function valuesPanel(box: Box, { pairs, names, yLabel }: PairedSpec): string {
  const y = scaleOf(extent(pairs.flatMap(({ first, second }) => [first, second])), [
    box.top + box.height,
    box.top,
  ]);
  const at = [box.left + box.width * 0.2, box.left + box.width * 0.8] as const;
  const lines = pairs.map(({ first, second }) =>
    group(
      "pair",
      element("line", {
        ...{ x1: at[0], x2: at[1], y1: y(first), y2: y(second) },
        ...{ stroke: second >= first ? lookOf(0).colour : lookOf(1).colour, "stroke-opacity": 0.55 },
        "stroke-width": 1.4,
      }),
      ...[first, second].map((value, k) => element("circle", { cx: at[k]!, cy: y(value), r: 3, fill: INK })),
    ),
  );
  const blank = { scale: scaleOf([0, 1], [box.left, box.left + box.width]), label: "", isBlank: true };
  const below = names.map((name, k) =>
    textElement(shortText(name, box.width * 0.55, SIZES.label), {
      ...{ x: at[k]!, y: box.top + box.height + 18, "font-size": SIZES.label, fill: INK },
      "text-anchor": "middle",
    }),
  );
  return (
    axes(box, { x: blank, y: { scale: y, label: yLabel }, title: "each pair" }) +
    lines.join("") +
    below.join("")
  );
}

function differencesPanel(box: Box, spec: PairedSpec): string {
  const differences = spec.pairs.map(({ first, second }) => second - first);
  const ends = spec.interval ? [spec.interval.low, spec.interval.high] : [];
  const y: Scale = scaleOf(extent([0, ...differences, spec.difference, ...ends]), [
    box.top + box.height,
    box.top,
  ]);
  const dots = differences.map((value, i) =>
    element("circle", {
      ...{ class: "difference", cx: box.left + 24 + spread(i) * box.width * 0.42, cy: y(value), r: 3.4 },
      ...{ fill: value >= 0 ? lookOf(0).colour : lookOf(1).colour, "fill-opacity": 0.7 },
    }),
  );
  const middle = box.left + box.width * 0.78;
  const zero = y(0);
  const parts = [
    element("line", {
      ...{ class: "zero", x1: box.left, x2: box.left + box.width, y1: zero, y2: zero },
      ...{ stroke: RULE, "stroke-dasharray": "4 3" },
    }),
    ...dots,
  ];
  if (spec.interval)
    parts.push(
      element("line", {
        ...{ class: "interval", x1: middle, x2: middle, y1: y(spec.interval.low), y2: y(spec.interval.high) },
        ...{ stroke: INK, "stroke-width": 3 },
      }),
    );
  parts.push(
    element("circle", {
      ...{ class: "mean", cx: middle, cy: y(spec.difference), r: 6 },
      ...{ fill: PAPER, stroke: INK, "stroke-width": 2.5 },
    }),
  );
  const label = (text: string, x: number) =>
    textElement(text, {
      ...{ x, y: box.top + box.height + 18, "font-size": SIZES.label, fill: INK, "text-anchor": "middle" },
    });
  const blank = { scale: scaleOf([0, 1], [box.left, box.left + box.width]), label: "", isBlank: true };
  return [
    axes(box, { x: blank, y: { scale: y, label: spec.differenceLabel }, title: "their differences" }),
    ...parts,
    label("pairs", box.left + 24 + box.width * 0.21),
    label("mean", middle),
  ].join("");
}
