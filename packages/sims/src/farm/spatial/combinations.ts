import { pause } from "../pause.ts";
import { Crowd, type CrowdOptions } from "./crowd.ts";
import { type Algorithm, spatialIndexes } from "./indexes/index.ts";
import { type IndexTimes, measureIndex, type Tasks } from "./measure-index.ts";

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
