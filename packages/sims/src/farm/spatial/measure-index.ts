import { pause } from "../pause.ts";
import { Crowd, type CrowdOptions } from "./crowd.ts";
import { type Algorithm, spatialIndexes } from "./indexes/index.ts";
import type { Points, SpatialIndex } from "./spatial-index.ts";

interface Tasks {
  steps: number;
  /** Queries of each kind in a step. */
  queries: number;
  radii: number[];
  neighbors: number;
  /** Where queries are asked from; without it, from where agents are. */
  from?: Points;
}

/** Means over all steps and queries; a step's queries are timed together, so that reading the clock costs nothing. */
interface IndexTimes {
  buildMs: number;
  updateMs: number;
  /** One number a radius. */
  rangeUs: number[];
  nearestUs: number;
  /** Agents in range: the same for every right index. One number a radius. */
  found: number[];
  /** Of the nearest: a sum of their numbers, the same for every right index. */
  nearestSum: number;
  bytes: number;
}

const BUILDS = 5;

/** Builds an index and takes it through the crowd's walk: each step updates it and asks its queries. */
function measureIndex(index: SpatialIndex, crowd: Crowd, tasks: Tasks): IndexTimes {
  const { steps, queries, radii, neighbors } = tasks;
  const { agents } = crowd.options;
  const out = new Uint32Array(Math.max(agents, neighbors));
  crowd.begin();
  const buildMs = medianBuildMs(index, crowd.points);
  const found = radii.map(() => 0);
  const rangeMs = radii.map(() => 0);
  let [updateMs, nearestMs, nearestSum] = [0, 0, 0];
  for (let step = 0; step < steps; step++) {
    crowd.step();
    const from = tasks.from ?? crowd.points;
    const total = from.x.length;
    const first = (step * queries) % total;
    let start = performance.now();
    index.update(crowd.moved, crowd.points);
    let end = performance.now();
    updateMs += end - start;
    for (let r = 0; r < radii.length; r++) {
      const radius = radii[r]!;
      let seen = 0;
      start = performance.now();
      for (let q = 0; q < queries; q++) {
        const at = (first + q) % total;
        seen += index.range(from.x[at]!, from.y[at]!, radius, out);
      }
      end = performance.now();
      rangeMs[r]! += end - start;
      found[r]! += seen;
    }
    start = performance.now();
    for (let q = 0; q < queries; q++) {
      const at = (first + q) % total;
      const count = index.nearest(from.x[at]!, from.y[at]!, neighbors, out);
      nearestSum += out[count - 1]!;
    }
    nearestMs += performance.now() - start;
  }
  const asked = steps * queries;
  return {
    buildMs,
    updateMs: updateMs / steps,
    rangeUs: rangeMs.map((ms) => (ms / asked) * 1000),
    nearestUs: (nearestMs / asked) * 1000,
    found: found.map((seen) => seen / asked),
    nearestSum,
    bytes: index.bytes(),
  };
}

function medianBuildMs(index: SpatialIndex, points: Points): number {
  const times = Array.from({ length: BUILDS }, () => {
    const start = performance.now();
    index.build(points);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[BUILDS >> 1]!;
}

/** One index in one world of some size with some agents. */
export interface Combination extends IndexTimes {
  algorithm: Algorithm;
  agents: number;
  worldSize: number;
}

interface Sizes {
  agent_counts: number[];
  world_sizes: number[];
  distribution: CrowdOptions["distribution"];
  moving_share: number;
}

/** A crowd for each number of agents in each size of world. */
export function gatherCrowds(params: Sizes, seed: number): Crowd[] {
  return params.world_sizes.flatMap((worldSize) =>
    params.agent_counts.map((agents) => {
      const { distribution, moving_share: movingShare } = params;
      return new Crowd({ agents, worldSize, distribution, movingShare, seed });
    }),
  );
}

/** Measures every index on every crowd. The indexes take turns, so that a drift of the machine hits all alike. */
export async function* measureCombinations(
  crowds: Crowd[],
  algorithms: Algorithm[],
  { tasksFor, signal }: { tasksFor: (crowd: Crowd) => Tasks; signal: AbortSignal },
): AsyncGenerator<Combination> {
  for (const crowd of crowds) {
    const tasks = tasksFor(crowd);
    let first: Combination | undefined;
    for (const algorithm of algorithms) {
      await pause(signal);
      const times = measureIndex(spatialIndexes[algorithm](), crowd, tasks);
      const { agents, worldSize } = crowd.options;
      const combination = { algorithm, agents, worldSize, ...times };
      first ??= combination;
      expectSameAnswers(first, combination);
      yield combination;
    }
  }
}

/** How fast a wrong answer comes is of no interest. */
function expectSameAnswers(first: Combination, other: Combination): void {
  const isSame =
    first.nearestSum === other.nearestSum && first.found.every((seen, r) => seen === other.found[r]);
  if (isSame) return;
  throw new Error(
    `${other.algorithm} and ${first.algorithm} found different agents among ${first.agents} in a world of ${first.worldSize}: a fault in one of the indexes`,
  );
}
