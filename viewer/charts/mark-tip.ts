import type { Chart } from "../../src/plots/chart.ts";
import { curveTip } from "../../src/plots/line-charts.ts";

/** A line by its place among the lines of its chart, and the place of its nearest point. */
export interface PointedLine {
  index: number;
  point: number;
}

/** What a point of a curve stands for, in words. All other marks say it themselves. */
export function markTip(chart: Chart, { index, point }: PointedLine): string | null {
  if (chart.kind !== "curves") return null;
  const curve = chart.panels.flatMap(({ curves }) => curves)[index];
  // The drawn line has no point where a value is missing, and on stairs each value but the first has two.
  const known = curve?.y.flatMap((value, i) => (Number.isFinite(value) ? [i] : [])) ?? [];
  const at = known[chart.shape === "stairs" ? Math.ceil(point / 2) : point];
  return curve && at !== undefined ? curveTip(chart, curve, at) : null;
}
