import type { VarianceFindings } from "../../analysis/variance/analyse-variance.ts";
import { LEGACY_SENTENCE } from "../../analysis/variance/legacy-cv.ts";
import { percentText } from "../../core/number-text.ts";
import type { PrecisionArm, PrecisionChart } from "../../plots/chart.ts";
import { MOST_BANDS } from "../../plots/line-charts.ts";

const NONE = { n: [], middle: [], low: [], high: [], pilot: 0, enough: null };

const FEW_NOTES = [
  "Line: median half-width of the t interval of the mean over studies of n seeds, resampled from the runs; dotted beyond the seeds available. Dashed line: the precision sought.",
  "Band: 10 % to 90 % of those studies. Ring: from this n on the whole band is below the dashed line, so nine in ten such studies are precise enough.",
];
const MANY_NOTES = [
  "Line: the half-width of the t interval of the mean that nine in ten studies of n seeds stay below, resampled from the runs; dotted beyond the seeds available. Dashed line: the precision sought.",
  "The number of seeds at which each line crosses is in the table that the command prints.",
];

/** Precision against the number of seeds, a panel for the metric and one for its slope. */
export function varianceChart({ measured, panels, threshold, effect }: VarianceFindings): PrecisionChart {
  const relative = effect === null ? "the mean" : `an effect of ${effect}`;
  const isMany = panels.some(({ arms }) => arms.length > MOST_BANDS);
  return {
    kind: "precision",
    title: `How many seeds are enough? ${measured.metric} in ${measured.study}`,
    subtitle: `Sought: a 95 % confidence interval no wider than ± ${percentText(threshold)} of ${relative}`,
    xLabel: "number of seeds",
    yLabel: `half-width of the 95 % interval (% of ${effect === null ? "mean" : "effect"})`,
    threshold,
    panels: panels.map(({ title, arms }) => ({
      title,
      arms: arms.map(({ name, precision }): PrecisionArm => {
        const colour = measured.colours[name]!;
        if (!precision.known) return { name, colour, ...NONE, why: precision.why };
        const { n, enough } = precision;
        // Two seeds have an interval in name only.
        const points = precision.points.filter((point) => point.n > 2 || enough === 2);
        const high = points.map((point) => point.high);
        return {
          ...{ name, colour, pilot: n, enough, n: points.map((point) => point.n) },
          middle: isMany ? high : points.map(({ middle }) => middle),
          low: isMany ? high : points.map(({ low }) => low),
          high,
        };
      }),
    })),
    notes: [
      ...(isMany ? MANY_NOTES : FEW_NOTES),
      ...(measured.summary === null ? [] : [`${panels.map(({ what }) => what).join(". ")}.`]),
    ],
  };
}

/** The coefficient of variation of the first n runs, as the page of old drew it. */
export function legacyChart({ measured, panels, threshold }: VarianceFindings): PrecisionChart {
  return {
    kind: "precision",
    title: `Coefficient of variation of ${measured.metric} in ${measured.study} (legacy view)`,
    subtitle: "Standard deviation of the first n runs relative to their mean, in the order of the runs",
    xLabel: "number of runs",
    yLabel: "coefficient of variation (% of mean)",
    threshold,
    panels: panels.map(({ title, arms }) => ({
      title,
      arms: arms.map(({ name, legacy }): PrecisionArm => {
        const colour = measured.colours[name]!;
        if (!legacy.known) return { name, colour, ...NONE, why: legacy.why };
        const cvs = legacy.points.map(({ cv }) => cv);
        const n = legacy.points.map((point) => point.n);
        return { name, colour, n, middle: cvs, low: cvs, high: cvs, pilot: n.at(-1)!, enough: legacy.first };
      }),
    })),
    notes: [`Dashed line: ${percentText(threshold)}. Ring: the first n below it. ${LEGACY_SENTENCE}`],
  };
}
