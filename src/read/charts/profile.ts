import { type Measurements, withUnit } from "../../analysis/measurements.ts";
import type { PerformanceProfile } from "../../analysis/rank/performance-profile.ts";
import type { CurvesChart } from "../../plots/chart.ts";
import { MOST_BANDS } from "../../plots/line-charts.ts";

/** Performance profiles: the share of runs that reach each threshold. */
export function profileOf(
  { metric, unit, study, what, arms: order }: Measurements,
  arms: PerformanceProfile[],
  goal: "minimize" | "maximize",
): CurvesChart {
  const sign = goal === "maximize" ? "at least" : "at most";
  const hasBands = arms.length <= MOST_BANDS;
  return {
    ...{ kind: "curves", shape: "stairs", isPercent: true },
    title: `Performance profile: ${metric} in ${study}`,
    subtitle: `${what === metric ? "All runs of an arm" : what}; ${goal === "maximize" ? "more" : "less"} is better, and so is the higher curve`,
    xLabel: `threshold of ${withUnit(metric, unit)}`,
    yLabel: `share of runs with ${sign} the threshold (%)`,
    panels: [
      {
        title: "",
        curves: arms.map(({ name, thresholds, shares, low, high }) => ({
          ...{ name, colour: order.indexOf(name), x: thresholds, y: shares },
          ...(hasBands && { low, high }),
        })),
      },
    ],
    notes: [
      `${hasBands ? "Band: 95 % percentile bootstrap over seeds, at each threshold on its own." : `Bands are left out with more than ${MOST_BANDS} arms (--where draws fewer).`} Where curves cross, which arm is better depends on the threshold.`,
    ],
  };
}
