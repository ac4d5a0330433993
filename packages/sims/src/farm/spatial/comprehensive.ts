import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { csvText } from "../../kernel/csv-text.ts";
import { MeanBy } from "../../kernel/statistics.ts";
import type { Crowd } from "./crowd.ts";
import { type Combination, gatherCrowds, measureCombinations } from "./measure-index.ts";
import { bySize, chosenAlgorithms, spatialParams } from "./params.ts";

interface State {
  crowds: Crowd[];
  rows: { iteration: number; combination: Combination }[];
}

const less = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});

const operations = {
  step_ms: less(
    "ms",
    "A step: its update and all its queries; mean over all worlds, as .INDEX and .INDEX.nAGENTS",
  ),
  build_ms: less("ms", "To build the index; with the same endings"),
  update_ms: less("ms", "To follow one step of the agents; with the same endings"),
  range_us: less("us", "A range query; with the same endings, and .INDEX.rRADIUS"),
  nearest_us: less("us", "A query for the nearest; with the same endings"),
};

/** Which spatial index suits which world: all indexes in all worlds in one run, or one of them as an axis. */
export const spatialComprehensive = defineTarget({
  name: "spatial_comprehensive",
  version: "1",
  description: "builds, updates and queries spatial indexes over numbers of agents, world sizes and radii",
  params: z.strictObject(spatialParams),
  metrics: {
    ...bySize(operations),
    ...operations,
    slowdown: less("1", "As .INDEX: its step over that of the best index, world by world (geometric mean)"),
    found: { unit: "agents", direction: "none", description: "Agents in range of a query, as .rRADIUS too" },
  },
  setup: ({ params, seed }): State => ({ crowds: gatherCrowds(params, seed), rows: [] }),
  async run({ params, signal, iteration }, state) {
    const { steps, queries, neighbors, query_radii: radii } = params;
    const tasksFor = () => ({ steps, queries, neighbors, radii });
    const combinations: Combination[] = [];
    for await (const combination of measureCombinations(state.crowds, chosenAlgorithms(params), {
      tasksFor,
      signal,
    })) {
      combinations.push(combination);
      if (iteration >= 0) state.rows.push({ iteration, combination });
    }
    return summarise(combinations, radii, queries);
  },
  teardown({ params, outDir }, state) {
    if (outDir === null || state === undefined) return;
    writeFileSync(join(outDir, "combinations.csv"), csvOf(state.rows, params.query_radii));
  },
});

function summarise(combinations: Combination[], radii: number[], queries: number): Record<string, number> {
  const metrics = new MeanBy();
  for (const one of combinations) {
    const { algorithm, agents, buildMs, updateMs, rangeUs, nearestUs, found } = one;
    const meanRangeUs = rangeUs.reduce((sum, us) => sum + us, 0) / rangeUs.length;
    for (const ending of ["", `.${algorithm}`, `.${algorithm}.n${agents}`]) {
      metrics.add(`build_ms${ending}`, buildMs);
      metrics.add(`update_ms${ending}`, updateMs);
      metrics.add(`range_us${ending}`, meanRangeUs);
      metrics.add(`nearest_us${ending}`, nearestUs);
      metrics.add(`step_ms${ending}`, stepMs(one, queries));
    }
    radii.forEach((radius, r) => {
      metrics.add(`range_us.${algorithm}.r${radius}`, rangeUs[r]!);
      metrics.add("found", found[r]!);
      metrics.add(`found.r${radius}`, found[r]!);
    });
  }
  return { ...metrics.means(), ...slowdowns(combinations, queries) };
}

function csvOf(rows: State["rows"], radii: number[]): string {
  return csvText(
    rows.flatMap(({ iteration, combination: c }) =>
      radii.map((radius, r) => ({
        ...{ iteration, algorithm: c.algorithm, agents: c.agents, world_size: c.worldSize, radius },
        ...{ build_ms: c.buildMs, update_ms: c.updateMs, range_us: c.rangeUs[r], nearest_us: c.nearestUs },
        ...{ found: c.found[r], bytes: c.bytes },
      })),
    ),
  );
}

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
