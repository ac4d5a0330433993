import type { Result } from "../../stats/index.ts";
import { summariseCurve } from "../curve-summary.ts";
import { estimatesOf, type Measurements, withValues } from "../measurements.ts";
import { type LegacyCv, legacyCv } from "./legacy-cv.ts";
import { type NoiseRow, noiseOf } from "./noise.ts";
import { type Precision, type PrecisionOptions, precisionOf } from "./precision.ts";

/** What one summary of the runs says about how many seeds are enough. */
export interface VariancePanel {
  title: string;
  what: string;
  arms: { name: string; values: number[]; precision: Result<Precision>; legacy: Result<LegacyCv> }[];
}

export interface VarianceFindings {
  measured: Measurements;
  threshold: number;
  effect: number | null;
  /** The metric (or its summary), and the slope where it is a series. */
  panels: VariancePanel[];
  /** Of tasks with several samples each: what the mean's error is made of. */
  noise: NoiseRow[];
  cautions: string[];
}

export function analyseVariance(measured: Measurements, options: PrecisionOptions): VarianceFindings {
  const panels = [panelOf(measured, options, titleOf(measured))];
  const slopes = slopesOf(measured);
  if (slopes) {
    // An effect is one of the metric, in its unit; slopes have another.
    const effect = options.effect && { effect: slopeEffect(measured, options.effect) };
    panels.push(panelOf(slopes, { ...options, ...effect }, `slope of ${measured.metric}`));
  }
  return {
    ...{ measured, threshold: options.threshold, effect: options.effect ?? null, panels },
    noise: noiseOf(measured),
    cautions: measured.cautions,
  };
}

function panelOf(measured: Measurements, options: PrecisionOptions, title: string): VariancePanel {
  const arms = estimatesOf(measured).map(({ name, values }) => ({
    name,
    values,
    precision: precisionOf(values, options),
    legacy: legacyCv(values, options.threshold),
  }));
  return { title, what: measured.what, arms };
}

/** The same runs by the slope of a straight line through the common window. */
function slopesOf(measured: Measurements): Measurements | undefined {
  const { window, metric } = measured;
  if (!window || measured.runs.some(({ curve }) => curve === undefined)) return undefined;
  const slopes = withValues(measured, ({ curve }) => {
    const slope = summariseCurve(curve!, { summary: "slope", ...window });
    return slope.known ? slope.value : null;
  });
  return { ...slopes, what: `${metric}: slope a step, steps ${window.from} to ${window.to}` };
}

function titleOf({ metric, summary }: Measurements): string {
  return summary === null ? metric : `${summary === "auc" ? "AUC" : summary} of ${metric}`;
}

/** The slope that a rise of `effect` over the window would have. */
function slopeEffect({ window }: Measurements, effect: number): number {
  return effect / (window!.to - window!.from);
}
