import { differences, findOutliers, mean, standardDeviation } from "../../stats/index.ts";
import type { ArmSummary, Comparison } from "./comparison.ts";
import { label } from "./pair-up.ts";
import type { Samples } from "./samples.ts";
import type { Settled } from "./settle-failures.ts";

/** An arm in numbers, over the units that were compared. */
export function summaryOf({ arm, missing }: Settled, xs: Float64Array | null): ArmSummary {
  const average = xs ? mean(xs) : null;
  const spread = xs ? standardDeviation(xs) : null;
  return {
    name: arm.name,
    observations: arm.observations.length,
    missing,
    mean: average?.known ? average.value : null,
    sd: spread?.known ? spread.value : null,
  };
}

/** Differences, or values where nothing is paired, that stand apart; the largest first. */
export function outliersOf({ isPaired, baseline, candidate, labels }: Samples, keys: string[]) {
  const named = (xs: Float64Array, names: string[]) =>
    findOutliers(xs).map((i) => ({ label: isPaired ? label(names[i]!, keys) : names[i]!, value: xs[i]! }));
  if (isPaired) return named(differences(candidate, baseline), labels.baseline).sort(bySize);
  return [...named(baseline, labels.baseline), ...named(candidate, labels.candidate)].sort(bySize);

  function bySize(a: { value: number }, b: { value: number }): number {
    return Math.abs(b.value) - Math.abs(a.value);
  }
}

/** What was compared, unit by unit. */
export function valuesOf({ isPaired, baseline, candidate, labels }: Samples): Comparison["values"] {
  if (isPaired)
    return labels.baseline.map((name, i) => ({
      label: name,
      baseline: baseline[i]!,
      candidate: candidate[i]!,
    }));
  return [
    ...labels.baseline.map((name, i) => ({ label: name, baseline: baseline[i]!, candidate: null })),
    ...labels.candidate.map((name, i) => ({ label: name, baseline: null, candidate: candidate[i]! })),
  ];
}
