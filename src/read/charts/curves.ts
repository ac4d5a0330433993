import { learningCurves, wholeWindow } from "../../analysis/learning-curves.ts";
import { type Measurements, withUnit } from "../../analysis/measurements.ts";
import { UserError } from "../../core/errors.ts";
import type { CurvesChart } from "../../plots/chart.ts";
import { MOST_RUNS } from "../../plots/line-charts.ts";

/** Learning curves with the interval of the mean over seeds. */
export function curvesOf(
  measured: Measurements,
  { stepMin, stepMax }: { stepMin?: number; stepMax?: number } = {},
): CurvesChart {
  const { metric, unit, study, missing } = measured;
  if (!measured.window)
    throw new UserError(`"${metric}" is one number per run, not a series`, {
      remedy: "--kind arms shows such numbers.",
    });
  const whole = wholeWindow(measured.runs.flatMap(({ curve }) => (curve ? [curve] : [])));
  const window = { from: stepMin ?? whole.from, to: stepMax ?? whole.to };
  const arms = learningCurves({ ...measured, window }).filter(({ runs }) => runs.length > 0);
  const total = arms.reduce((sum, { runs }) => sum + runs.length, 0);
  const counts = [...new Set(arms.map(({ runs }) => runs.length))].sort((a, b) => a - b);
  const left = missing.length > 0 ? ` ${missing.length} runs are left out: ${missing[0]!.why}.` : "";
  return {
    kind: "curves",
    title: `Learning curves: ${metric} in ${study}`,
    subtitle: `${measured.axis ?? "Steps"} ${window.from} to ${window.to}, ${counts.join(" to ")} runs per arm`,
    xLabel: measured.axis ?? "step",
    yLabel: withUnit(metric, unit),
    panels: [
      {
        title: "",
        curves: arms.map(({ name, steps, mean, low, high, runs }) => ({
          ...{ name, colour: measured.colours[name]!, x: steps, y: mean, low, high, runs },
        })),
      },
    ],
    notes: [
      `Thick line: mean over runs. Band: 95 % t interval of that mean, at each step on its own.${total > MOST_RUNS ? "" : " Thin lines: single runs."}`,
      ...(left ? [left.trim()] : []),
    ],
  };
}
