import { differences, findOutliers, moments } from "../../stats/index.ts";
import type { Comparison } from "./comparison.ts";
import { label } from "./pair-up.ts";
import { labelText, type Samples } from "./samples.ts";
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
  const within = (xs: Float64Array, names: Samples["labels"]["baseline"], settings: readonly string[]) => {
    const named = (i: number) => {
      const name = labelText(names[i]!);
      return { label: isPaired ? label(name, keys) : name, value: xs[i]! };
    };
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
  const [names, others] = [labels.baseline.map(labelText), labels.candidate.map(labelText)];
  if (isPaired)
    return names.map((name, i) => ({ label: name, baseline: baseline[i]!, candidate: candidate[i]! }));
  return [
    ...names.map((name, i) => ({ label: name, baseline: baseline[i]!, candidate: null })),
    ...others.map((name, i) => ({ label: name, baseline: null, candidate: candidate[i]! })),
  ];
}

/** Below so many units, means of values of which many are 0, or that vary by more than half of their size, are rough. */
const FEW = { zeros: 100, tails: 15 };

/**
 * Why an interval of means covers less often than it says, where it does: of values above 0 a few large ones make up much of a
 * mean, and few units may not have met them.
 */
export function roughness({ baseline, candidate }: Samples): "zeros" | "tail" | null {
  const n = Math.min(baseline.length, candidate.length);
  if (n >= FEW.zeros) return null;
  const all = [...baseline, ...candidate];
  if (all.some((x) => x < 0) || new Set(all).size < 3) return null;
  const zeros = all.filter((x) => x === 0).length;
  if (zeros >= 0.2 * all.length) return "zeros";
  // Within an arm: that the arms differ is no tail.
  const isWide = [baseline, candidate].some((xs) => {
    const { mean, variance } = moments(xs);
    return Math.sqrt(variance) > 0.5 * mean;
  });
  return n < FEW.tails && zeros === 0 && isWide ? "tail" : null;
}

/** From so many times as many values, and so many times as much spread in the smaller arm, no method for means is safe of a tail. */
const UNLIKE = { sizes: 1.5, spreads: 2 };

/** How many times as much the much smaller of two groups spreads; null where that is no trouble. */
export function unevenness({ isPaired, baseline, candidate }: Samples): number | null {
  const [small, large] = baseline.length < candidate.length ? [baseline, candidate] : [candidate, baseline];
  if (isPaired || small.length < 2 || large.length < UNLIKE.sizes * small.length) return null;
  const times = Math.sqrt(moments(small).variance / moments(large).variance);
  return Number.isFinite(times) && times >= UNLIKE.spreads ? times : null;
}
