import { armsChart } from "./arms-chart.ts";
import { barsChart } from "./bars-chart.ts";
import { contourChart } from "./contour-chart.ts";
import { curvesChart } from "./curves-chart.ts";
import { facetsChart } from "./facets-chart.ts";
import { forPage } from "./for-page.ts";
import { forestChart } from "./forest-chart.ts";
import { historyChart } from "./history-chart.ts";
import { importanceChart } from "./importance-chart.ts";
import { pairedChart } from "./paired-chart.ts";
import { parallelChart } from "./parallel-chart.ts";
import { precisionChart } from "./precision-chart.ts";
import { profileChart } from "./profile-chart.ts";
import { radialChart } from "./radial-chart.ts";
import { scatterChart } from "./scatter-chart.ts";
import { sliceChart } from "./slice-chart.ts";
import { stackChart } from "./stack-chart.ts";

/** All kinds of chart by name: what a report may hold, and the page can draw. */
const draws: Record<string, (spec: never) => string> = {
  arms: armsChart,
  bars: barsChart,
  contour: contourChart,
  curves: curvesChart,
  facets: facetsChart,
  forest: forestChart,
  history: historyChart,
  importance: importanceChart,
  paired: pairedChart,
  parallel: parallelChart,
  precision: precisionChart,
  profile: profileChart,
  radial: radialChart,
  scatter: scatterChart,
  slice: sliceChart,
  stack: stackChart,
};

export interface DrawOptions {
  /** "page": colours are CSS custom properties, so that one drawing is right in light, in dark and on paper. */
  look?: "file" | "page";
}

/** The SVG of a chart that is kept as data. Its spec may have been through JSON: what was NaN is null then. */
export function drawChart(
  { kind, spec }: { kind: string; spec: unknown },
  { look = "file" }: DrawOptions = {},
): string {
  const draw = Object.hasOwn(draws, kind) ? (draws[kind] as (spec: unknown) => string) : undefined;
  if (!draw) throw new Error(`there is no kind of chart "${kind}"`);
  const svg = draw(spec);
  return look === "page" ? forPage(svg) : svg;
}
