import type { VarianceFindings } from "../../analysis/variance/analyse-variance.ts";
import { LEGACY_SENTENCE } from "../../analysis/variance/legacy-cv.ts";
import { percentText } from "../../plots/number-text.ts";
import { type PrecisionArm, precisionChart } from "../../plots/precision-chart.ts";

const NONE = { n: [], middle: [], low: [], high: [], pilot: 0, enough: null };

/** Precision against the number of seeds, a panel for the metric and one for its slope. */
export function varianceChart({ measured, panels, threshold, effect }: VarianceFindings): string {
  const relative = effect === null ? "the mean" : `an effect of ${effect}`;
  return precisionChart({
    title: `How many seeds are enough? ${measured.metric} in ${measured.study}`,
    subtitle: `Sought: a 95 % confidence interval no wider than ± ${percentText(threshold)} of ${relative}`,
    xLabel: "number of seeds",
    yLabel: `half-width of the 95 % interval (% of ${effect === null ? "mean" : "effect"})`,
    threshold,
    panels: panels.map(({ what, arms }) => ({
      title: what,
      arms: arms.map(({ name, precision }): PrecisionArm => {
        if (!precision.known) return { name, ...NONE, why: precision.why };
        const { points, n, enough } = precision;
        return {
          ...{ name, pilot: n, enough, n: points.map((point) => point.n) },
          middle: points.map(({ middle }) => middle),
          low: points.map(({ low }) => low),
          high: points.map(({ high }) => high),
        };
      }),
    })),
    notes: [
      "Line: median half-width of the t interval of the mean over studies of n seeds, resampled from the runs; dotted beyond the seeds that there are.",
      "Band: 10 % to 90 % of those studies. n = is where the whole band is below the dashed line: nine in ten such studies are precise enough.",
    ],
  });
}

/** The coefficient of variation of the first n runs, as the page of old drew it. */
export function legacyChart({ measured, panels, threshold }: VarianceFindings): string {
  return precisionChart({
    title: `Coefficient of variation of ${measured.metric} in ${measured.study} (legacy view)`,
    subtitle: "Standard deviation of the first n runs relative to their mean, in the order of the runs",
    xLabel: "number of runs",
    yLabel: "coefficient of variation (% of mean)",
    threshold,
    panels: panels.map(({ what, arms }) => ({
      title: what,
      arms: arms.map(({ name, legacy }): PrecisionArm => {
        if (!legacy.known) return { name, ...NONE, why: legacy.why };
        const cvs = legacy.points.map(({ cv }) => cv);
        const n = legacy.points.map((point) => point.n);
        return { name, n, middle: cvs, low: cvs, high: cvs, pilot: n.at(-1)!, enough: legacy.first };
      }),
    })),
    notes: [LEGACY_SENTENCE],
  });
}
