import { MeanBy } from "../mean-by.ts";
import type { Combination } from "./combinations.ts";

/** A step's update and all its queries. */
export function stepMs({ updateMs, rangeUs, nearestUs }: Combination, queries: number): number {
  return updateMs + (queries * rangeUs.reduce((sum, us) => sum + us, nearestUs)) / 1000;
}

/**
 * How many times as long a step takes with each index as with the best one: 1 is the best in every world. The
 * geometric mean over all worlds, so that small and large ones count alike. Absent with one index alone.
 */
export function slowdowns(combinations: Combination[], queries: number): Record<string, number> {
  const worlds = new Map<string, Combination[]>();
  for (const one of combinations) {
    const world = `${one.agents} in ${one.worldSize}`;
    worlds.set(world, [...(worlds.get(world) ?? []), one]);
  }
  const logs = new MeanBy();
  for (const group of worlds.values()) {
    if (group.length < 2) return {};
    const best = Math.min(...group.map((one) => stepMs(one, queries)));
    for (const one of group) logs.add(`slowdown.${one.algorithm}`, Math.log(stepMs(one, queries) / best));
  }
  return Object.fromEntries(Object.entries(logs.means()).map(([name, log]) => [name, Math.exp(log)]));
}
