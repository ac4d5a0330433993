import type { Chart } from "./chart.ts";
import { drawDistribution, drawQuantiles } from "./check-charts.ts";
import { drawFlame } from "./flame-chart.ts";
import { drawBoxes, drawSequence } from "./iteration-charts.ts";
import { drawCurves, drawPrecision, drawSteps } from "./line-charts.ts";
import { drawHistory, drawPaired, drawScatter } from "./point-charts.ts";
import { drawRadial } from "./radial-chart.ts";
import { drawArms, drawBars, drawForest, drawStack } from "./row-charts.ts";
import { drawRuns } from "./run-chart.ts";
import { drawContour, drawParallel, drawSlices } from "./space-charts.ts";
import { forPage } from "./theme.ts";

/** Every kind is a composition of marks. */
const drawings: { [Kind in Chart["kind"]]: (chart: Extract<Chart, { kind: Kind }>) => string } = {
  arms: drawArms,
  bars: drawBars,
  boxes: drawBoxes,
  contour: drawContour,
  curves: drawCurves,
  distribution: drawDistribution,
  flame: drawFlame,
  forest: drawForest,
  history: drawHistory,
  paired: drawPaired,
  parallel: drawParallel,
  precision: drawPrecision,
  quantiles: drawQuantiles,
  radial: drawRadial,
  runs: drawRuns,
  scatter: drawScatter,
  sequence: drawSequence,
  slice: drawSlices,
  stack: drawStack,
  steps: drawSteps,
};

export interface DrawOptions {
  /** "page": colours are CSS custom properties, so that one drawing is right in light, in dark and on paper. */
  look?: "file" | "page";
}

/** The SVG of a chart. Its data may have been through JSON: what was NaN is null then. */
export function drawChart(chart: Chart, { look = "file" }: DrawOptions = {}): string {
  if (!Object.hasOwn(drawings, chart.kind)) throw new Error(`there is no kind of chart "${chart.kind}"`);
  const svg = (drawings[chart.kind] as (chart: Chart) => string)(chart);
  return look === "page" ? forPage(svg) : svg;
}
