import type { ArmsSpec } from "../../src/plots/arms-chart.ts";
import type { CurvesSpec } from "../../src/plots/curves-chart.ts";
import { numberText } from "../../src/plots/number-text.ts";
import type { PairedSpec } from "../../src/plots/paired-chart.ts";
import type { ChartView } from "../../src/reporters/study-view.ts";

/** A mark by its class, its place among its like, and its arm's place; curves also tell the nearest point. */
export interface Mark {
  name: string;
  index: number;
  arm: number;
  point: number;
}

/** What a mark of a chart stands for, in words; null for what is only decoration. */
export function markTip({ kind, spec }: ChartView, mark: Mark): string | null {
  try {
    if (kind === "arms") return armTip(spec as ArmsSpec, mark);
    if (kind === "curves") return curveTip(spec as CurvesSpec, mark);
    if (kind === "paired") return pairTip(spec as PairedSpec, mark);
  } catch {
    // a spec of another shape has no tips
  }
  return null;
}

function armTip({ arms, xLabel }: ArmsSpec, { name, index, arm: at }: Mark): string | null {
  const arm = arms[at]!;
  if (name === "value") return `${arm.name}\n${xLabel}: ${numberText(arm.values[index]!)}`;
  if (name !== "mean" && name !== "interval") return null;
  const range = arm.interval
    ? ` [${numberText(arm.interval.low)}, ${numberText(arm.interval.high)}]`
    : (arm.remark ?? "");
  return `${arm.name}\nmean ${numberText(arm.mean)}${range}, n = ${arm.values.length}`;
}

function curveTip({ arms, xLabel, yLabel }: CurvesSpec, { name, index, point }: Mark): string | null {
  const arm = arms[index];
  if (name !== "mean" || !arm) return null;
  // The drawn line has no point where a value is missing.
  const at = arm.mean.flatMap((value, i) => (Number.isFinite(value) ? [i] : []))[point];
  if (at === undefined) return null;
  const [low, high] = [arm.low[at]!, arm.high[at]!];
  const range =
    Number.isFinite(low) && Number.isFinite(high) ? ` [${numberText(low)}, ${numberText(high)}]` : "";
  return `${arm.name}\n${xLabel} ${numberText(arm.steps[at]!)}\n${yLabel}: ${numberText(arm.mean[at]!)}${range}`;
}

function pairTip({ pairs, names, difference, interval }: PairedSpec, mark: Mark): string | null {
  if (mark.name === "mean" || mark.name === "interval") {
    const range = interval ? ` [${numberText(interval.low)}, ${numberText(interval.high)}]` : "";
    return `mean difference ${numberText(difference)}${range}`;
  }
  const pair = pairs[mark.index];
  if (!pair || (mark.name !== "pair" && mark.name !== "difference")) return null;
  const gap = numberText(pair.second - pair.first);
  return `${pair.name}\n${names[0]}: ${numberText(pair.first)}\n${names[1]}: ${numberText(pair.second)}\ndifference ${gap}`;
}
