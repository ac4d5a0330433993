import { type Measurements, withUnit } from "../../analysis/measurements.ts";
import type { PerformanceProfile } from "../../analysis/rank/performance-profile.ts";
import { FEW, profileChart } from "../../plots/profile-chart.ts";

/** Performance profiles: the share of runs that reach each threshold. */
export function profileOf(
  { metric, unit, study, what }: Measurements,
  arms: PerformanceProfile[],
  goal: "minimize" | "maximize",
): string {
  const sign = goal === "maximize" ? "at least" : "at most";
  return profileChart({
    title: `Performance profile: ${metric} in ${study}`,
    subtitle: `${what === metric ? "All runs of an arm" : what}; ${goal === "maximize" ? "more" : "less"} is better, and so is the higher curve`,
    xLabel: `threshold of ${withUnit(metric, unit)}`,
    yLabel: `share of runs with ${sign} the threshold (%)`,
    arms,
    notes: [
      `${arms.length > FEW ? `Bands are left out with more than ${FEW} arms (--where draws fewer).` : "Band: 95 % percentile bootstrap over seeds, at each threshold on its own."} Where curves cross, which arm is better depends on the threshold.`,
    ],
  });
}
