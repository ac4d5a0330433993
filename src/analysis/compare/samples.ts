import type { Arm } from "../../design/arm-set.ts";
import { type Pairing, unitsOf } from "./pair-up.ts";

/** Two arms as what statistics take: a number a unit, the mean of its rollouts. */
export interface Samples {
  isPaired: boolean;
  baseline: Float64Array;
  candidate: Float64Array;
  labels: { baseline: string[]; candidate: string[] };
  /** Of each pair; a pair alone in its cluster has its own key. */
  clusters: string[];
  /** The shared setting that each value was measured at. */
  blocks: { baseline: string[]; candidate: string[] };
  /** The rollouts behind the means. */
  rollouts: { baseline: number[][]; candidate: number[][] };
}

export function pairedSamples({ pairs }: Pairing): Samples {
  const labels = pairs.map(({ key }) => key);
  return {
    isPaired: true,
    baseline: Float64Array.from(pairs, (pair) => average(pair.baseline)),
    candidate: Float64Array.from(pairs, (pair) => average(pair.candidate)),
    labels: { baseline: labels, candidate: labels },
    clusters: pairs.map(({ cluster }) => cluster),
    blocks: { baseline: pairs.map(({ block }) => block), candidate: pairs.map(({ block }) => block) },
    rollouts: {
      baseline: pairs.map((pair) => pair.baseline),
      candidate: pairs.map((pair) => pair.candidate),
    },
  };
}

/** One value a cluster, for statistics that know of none; the samples as they are where no pairs share one. */
export function clusterMeans(samples: Samples): Pick<Samples, "isPaired" | "baseline" | "candidate"> {
  const { isPaired, baseline, candidate, clusters } = samples;
  if (!isPaired || new Set(clusters).size === clusters.length) return samples;
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
    baseline: Float64Array.from(first.values, average),
    candidate: Float64Array.from(second.values, average),
    labels: { baseline: first.labels, candidate: second.labels },
    clusters: [],
    blocks: { baseline: first.blocks, candidate: second.blocks },
    rollouts: { baseline: first.values, candidate: second.values },
  };
}

function groups(arm: Arm, isAveraged: boolean): { values: number[][]; labels: string[]; blocks: string[] } {
  const units = isAveraged ? unitsOf(arm) : undefined;
  if (units) {
    const filled = [...units.values()].filter(({ values }) => values.length > 0);
    return {
      values: filled.map(({ values }) => values),
      labels: filled.map(({ key }) => key),
      blocks: filled.map(({ block }) => block),
    };
  }
  const known = arm.observations.filter(({ value }) => value !== null);
  const labels = known.map(({ id }) => (typeof id === "number" ? `row ${id}` : id));
  return {
    values: known.map(({ value }) => [value!]),
    labels,
    blocks: known.map(({ block }) => block ?? ""),
  };
}

function average(values: readonly number[]): number {
  if (values.length === 1) return values[0]!;
  let total = 0;
  for (const value of values) total += value;
  return total / values.length;
}
