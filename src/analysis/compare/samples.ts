import type { Arm, Observation } from "../../design/arm-set.ts";
import { differences, type PairedOutcomes } from "../../stats/index.ts";
import { type Pairing, unitsOf } from "./pair-up.ts";

/** Two arms as what statistics take: a number a unit, the mean of its rollouts. */
export interface Samples {
  isPaired: boolean;
  baseline: Float64Array;
  candidate: Float64Array;
  /** Of each value; a number is that of a row. */
  labels: Record<"baseline" | "candidate", readonly Observation["id"][]>;
  /** Of each pair; a pair alone in its cluster has its own key. */
  clusters: string[];
  /** The shared setting that each value was measured at. */
  blocks: { baseline: string[]; candidate: string[] };
  /** The rollouts behind the means. */
  rollouts: { baseline: number[][]; candidate: number[][] };
}

export function pairedSamples({ pairs }: Pairing): Samples {
  const n = pairs.length;
  const [baseline, candidate] = [new Float64Array(n), new Float64Array(n)];
  const [labels, clusters, blocks] = [new Array<string>(n), new Array<string>(n), new Array<string>(n)];
  const rollouts = { baseline: new Array<number[]>(n), candidate: new Array<number[]>(n) };
  // One pass: every two of many arms come through here.
  for (let i = 0; i < n; i++) {
    const pair = pairs[i]!;
    baseline[i] = average(pair.baseline);
    candidate[i] = average(pair.candidate);
    labels[i] = pair.key;
    clusters[i] = pair.cluster;
    blocks[i] = pair.block;
    rollouts.baseline[i] = pair.baseline;
    rollouts.candidate[i] = pair.candidate;
  }
  return {
    ...{ isPaired: true, baseline, candidate, clusters, rollouts },
    labels: { baseline: labels, candidate: labels },
    blocks: { baseline: blocks, candidate: blocks },
  };
}

/** Of passes and failures: which of the two, the candidate first, passed how many pairs. */
export function pairedOutcomes({
  candidate,
  baseline,
}: Record<"candidate" | "baseline", ArrayLike<number>>): PairedOutcomes {
  const outcomes: PairedOutcomes = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (let i = 0; i < candidate.length; i++) {
    // Values between 0 and 1 are shares of several tries: here only where no pair differs.
    if (candidate[i] === baseline[i]) outcomes[candidate[i]! > 0 ? "both" : "neither"]++;
    else outcomes[candidate[i]! > baseline[i]! ? "onlyFirst" : "onlySecond"]++;
  }
  return outcomes;
}

/** What is independent among pairs. */
export function clusterCount({ clusters, labels }: Samples): number {
  const isOwn = clusters.every((cluster, i) => cluster === labels.baseline[i]);
  return isOwn ? clusters.length : new Set(clusters).size;
}

/** Whether every pair differs, each by a size of its own. Differences on one grid may be a few bits apart. */
export function isUntied({ candidate, baseline }: Pick<Samples, "candidate" | "baseline">): boolean {
  const sizes = differences(candidate, baseline).map(Math.abs).sort();
  const most = [...candidate, ...baseline].reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return sizes.every((size, i) => size - (i > 0 ? sizes[i - 1]! : 0) > 1e-12 * most);
}

/** One value a cluster, for statistics that know of none; the samples as they are where no pairs share one. */
export function clusterMeans(samples: Samples): Pick<Samples, "isPaired" | "baseline" | "candidate"> {
  const { isPaired, baseline, candidate, clusters } = samples;
  if (!isPaired || clusterCount(samples) === clusters.length) return samples;
  const members = new Map<string, { baseline: number[]; candidate: number[] }>();
  for (const [i, cluster] of clusters.entries()) {
    const lists = members.get(cluster) ?? { baseline: [], candidate: [] };
    lists.baseline.push(baseline[i]!);
    lists.candidate.push(candidate[i]!);
    members.set(cluster, lists);
  }
  const lists = [...members.values()];
  return {
    isPaired,
    baseline: Float64Array.from(lists, (list) => average(list.baseline)),
    candidate: Float64Array.from(lists, (list) => average(list.candidate)),
  };
}

/** Rollouts of one unit count as one value here too; `isAveraged: false` takes every observation for itself. */
export function independentSamples(baseline: Arm, candidate: Arm, isAveraged: boolean): Samples {
  const [first, second] = [groups(baseline, isAveraged), groups(candidate, isAveraged)];
  return {
    isPaired: false,
    baseline: averages(first.values),
    candidate: averages(second.values),
    labels: { baseline: first.labels, candidate: second.labels },
    clusters: [],
    blocks: { baseline: first.blocks, candidate: second.blocks },
    rollouts: { baseline: first.values, candidate: second.values },
  };
}

interface Groups {
  values: number[][];
  labels: Observation["id"][];
  blocks: string[];
}

function groups(arm: Arm, isAveraged: boolean): Groups {
  const units = isAveraged ? unitsOf(arm) : undefined;
  if (units) {
    const filled = [...units.values()].filter(({ values }) => values.length > 0);
    return {
      values: filled.map(({ values }) => values),
      labels: filled.map(({ key }) => key),
      blocks: filled.map(({ block }) => block),
    };
  }
  const found: Groups = { values: [], labels: [], blocks: [] };
  for (const { id, value, block = "" } of arm.observations) {
    if (value === null) continue;
    found.values.push([value]);
    found.labels.push(id);
    found.blocks.push(block);
  }
  return found;
}

/** A row is named only where it is shown: of a million rows these are few. */
export function labelText(label: Observation["id"]): string {
  return typeof label === "number" ? `row ${label}` : label;
}

function averages(groups: readonly (readonly number[])[]): Float64Array {
  const means = new Float64Array(groups.length);
  for (let i = 0; i < means.length; i++) means[i] = average(groups[i]!);
  return means;
}

function average(values: readonly number[]): number {
  if (values.length === 1) return values[0]!;
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}
