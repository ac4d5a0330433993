import { performanceProfiles } from "../analysis/rank/performance-profile.ts";
import { UserError } from "../core/errors.ts";
import type { Chart } from "../plots/chart.ts";
import { drawChart } from "../plots/draw-chart.ts";
import { armsOf, curvesOf, pairedOf, profileOf } from "../read/charts/arms.ts";
import { bootstrapOf, quantilesOf } from "../read/charts/checks.ts";
import { radialOf } from "../read/charts/radial.ts";
import { chooseArms } from "../read/choose-arms.ts";
import { type MeasureOptions, measureRuns } from "../read/measure-runs.ts";
import { requireGoal } from "./rank-study.ts";

export const CHART_KINDS = ["curves", "arms", "paired", "radial", "profile", "qq", "bootstrap"] as const;

export interface PlotOptions extends Omit<MeasureOptions, "metric"> {
  kind: (typeof CHART_KINDS)[number];
  /** One, or for a radial plot three or more. */
  metrics?: string[];
  baseline?: string;
  candidate?: string;
}

/** One chart of a study, as SVG. */
export async function plotStudy(words: readonly string[], options: PlotOptions): Promise<string> {
  return drawChart(await chartStudy(words, options));
}

/** The same as data. */
export async function chartStudy(words: readonly string[], options: PlotOptions): Promise<Chart> {
  const { kind, metrics = [], ...rest } = options;
  if (kind === "radial")
    return radialOf(await Promise.all(metrics.map((metric) => measureRuns(words, { ...rest, metric }))));
  if (metrics.length > 1) throw new UserError(`--kind ${kind} draws one metric`, { got: metrics.join(", ") });
  const named = metrics[0] === undefined ? rest : { ...rest, metric: metrics[0] };
  const summary = kind === "curves" ? ({ summary: "final", isWhole: true } as const) : {};
  const measured = await measureRuns(words, { ...named, ...summary });
  if (kind === "curves") return curvesOf(measured, rest);
  if (kind === "arms") return armsOf(measured);
  if (kind === "qq") return quantilesOf(measured);
  if (kind === "bootstrap")
    return bootstrapOf(measured, measured.arms.length === 1 ? measured.arms : chooseArms(measured, options));
  if (kind === "paired") return pairedOf(measured, chooseArms(measured, options));
  const goal = requireGoal(measured);
  return profileOf(measured, performanceProfiles(measured, { goal }), goal);
}
