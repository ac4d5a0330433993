import { differences, findOutliers } from "../../stats/index.ts";
import type { Comparison } from "./comparison.ts";
import { label } from "./pair-up.ts";
import type { Samples } from "./samples.ts";
import { toLogs } from "./scale.ts";

/**
 * Differences, or values where nothing is paired, that stand apart from others of their own setting: values of different
 * sizes are no outliers of one pool. The largest first; on the scale of ratios these are ratios.
 */
export function outliersOf(
  samples: Samples,
  keys: string[],
  isRatio: boolean,
): { label: string; value: number }[] {
  const { isPaired, labels, blocks } = samples;
  const { baseline, candidate } = isRatio ? toLogs(samples) : samples;
  const within = (xs: Float64Array, names: string[], settings: readonly string[]) => {
    const named = (i: number) => ({ label: isPaired ? label(names[i]!, keys) : names[i]!, value: xs[i]! });
    if (settings.every((setting) => setting === settings[0])) return findOutliers(xs).map(named);
    return bySetting(settings).flatMap((members) =>
      findOutliers(members.map((i) => xs[i]!)).map((k) => named(members[k]!)),
    );
  };
  const found = isPaired
    ? within(differences(candidate, baseline), labels.baseline, blocks.baseline)
    : [
        ...within(baseline, labels.baseline, blocks.baseline),
        ...within(candidate, labels.candidate, blocks.candidate),
      ];
  const sorted = found.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return isRatio ? sorted.map((one) => ({ ...one, value: Math.exp(one.value) })) : sorted;
}

function bySetting(settings: readonly string[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [i, setting] of settings.entries()) {
    const members = groups.get(setting);
    if (members) members.push(i);
    else groups.set(setting, [i]);
  }
  return [...groups.values()];
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

/** Up to so many units, means of values of which many are 0 are told to be rough. */
const FEW = 100;

/** Whether a fifth of few values are 0, and the others are above it and not alike. */
export function isMostlyZero({ baseline, candidate }: Samples): boolean {
  if (Math.min(baseline.length, candidate.length) >= FEW) return false;
  const all = [...baseline, ...candidate];
  if (all.some((x) => x < 0) || new Set(all).size < 3) return false;
  return all.filter((x) => x === 0).length >= 0.2 * all.length;
}
