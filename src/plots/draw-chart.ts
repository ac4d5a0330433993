import { armsChart } from "./arms-chart.ts";
import { barsChart } from "./bars-chart.ts";
import { curvesChart } from "./curves-chart.ts";
import { facetsChart } from "./facets-chart.ts";
import { forPage } from "./for-page.ts";
import { forestChart } from "./forest-chart.ts";
import { pairedChart } from "./paired-chart.ts";
import { precisionChart } from "./precision-chart.ts";
import { profileChart } from "./profile-chart.ts";
import { radialChart } from "./radial-chart.ts";
import { scatterChart } from "./scatter-chart.ts";
import { stackChart } from "./stack-chart.ts";

/** All kinds of chart by name: what a report may hold, and the page can draw. */
const draws: Record<string, (spec: never) => string> = {
  arms: armsChart,
  bars: barsChart,
  curves: curvesChart,
  facets: facetsChart,
  forest: forestChart,
  paired: pairedChart,
  precision: precisionChart,
  profile: profileChart,
  radial: radialChart,
  scatter: scatterChart,
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
