import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { MeanBy } from "../../kernel/statistics.ts";
import { pause } from "../pause.ts";
import type { Crowd } from "./crowd.ts";
import { spatialIndexes } from "./indexes/index.ts";
import { gatherCrowds } from "./measure-index.ts";
import { bySize, chosenAlgorithms, spatialParams } from "./params.ts";
import type { Points } from "./spatial-index.ts";

type Collect = () => void;

/** A way to collect all garbage now, or null where the engine gives none. */
function garbageCollector(): Collect | null {
  if (typeof globalThis.gc === "function") return globalThis.gc as Collect;
  try {
    setFlagsFromString("--expose-gc");
    return runInNewContext("gc") as Collect;
  } catch {
    return null;
  }
}

/** Enough agents in all for the heap's own noise to be small beside them. */
const AGENTS_IN_ALL = 50_000;
const MOST_COLLECTIONS = 6;

/**
 * What one thing holds, of `agents` agents: several are made and kept, and the memory before and after is compared,
 * buffers outside of the heap included. Without a collector garbage counts too, so the answer is an upper bound.
 */
function heldBytes(make: () => unknown, agents: number, collect: Collect | null): number {
  const copies = Math.max(2, Math.ceil(AGENTS_IN_ALL / agents));
  const kept: unknown[] = new Array(copies).fill(null);
  // Once before, so that what the engine keeps for the code itself is there already.
  make();
  const before = usedBytes(collect);
  for (let i = 0; i < copies; i++) kept[i] = make();
  const after = usedBytes(collect);
  // Reading it here keeps the engine from dropping the list before the second look.
  if (kept.includes(null)) throw new Error("nothing was made");
  return Math.max(0, after - before) / copies;
}

/** Collects until no more comes free: buffers go one collection after the objects that held them. */
function usedBytes(collect: Collect | null): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < MOST_COLLECTIONS; i++) {
    collect?.();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > least - 1000) break;
    least = heapUsed + external;
  }
  return least;
}

const { query_radii: _radii, queries: _queries, neighbors: _neighbors, ...shared } = spatialParams;

const less = (unit: string, description: string): MetricInfo => ({
  unit,
  direction: "minimize",
  description,
});

/** Ways to keep positions, to compare an index's memory with. */
const STRUCTURES = {
  list: ({ x, y }: Points) => Array.from(x, (left, agent) => ({ x: left, y: y[agent]! })),
  dict: ({ x, y }: Points) => new Map(Array.from(x, (left, agent) => [agent, { x: left, y: y[agent]! }])),
  numpy_array: ({ x, y }: Points) =>
    Float64Array.from({ length: 2 * x.length }, (_, i) => (i % 2 ? y : x)[i >> 1]!),
} satisfies Record<string, (points: Points) => unknown>;
const structures = Object.keys(STRUCTURES) as [keyof typeof STRUCTURES, ...(keyof typeof STRUCTURES)[]];

/** What spatial indexes hold in memory, and what garbage they make as agents move. */
export const spatialMemoryProfiler = defineTarget({
  name: "spatial_memory_profiler",
  version: "1",
  description: "measures what spatial indexes hold in memory, and their garbage while agents move",
  params: z.strictObject({
    ...shared,
    data_structures: z
      .array(z.enum(structures))
      .min(1)
      .default(["list", "dict", "numpy_array"])
      .describe("Plain ways to keep positions: objects in an array, objects in a Map, one Float64Array"),
    track_memory_usage: z.boolean().default(true).describe("Measure what is held"),
    track_garbage_collection: z.boolean().default(true).describe("Watch the collector while agents move"),
  }),
  metrics: {
    ...bySize({ held_bytes: less("bytes", "What an index holds, measured; mean over all worlds") }),
    held_bytes: less("bytes", "The same, mean over all worlds and indexes, and as .INDEX"),
    bytes_per_agent: less("bytes", "The same for each agent, in the largest crowd, as .INDEX and .STRUCTURE"),
    estimated_bytes: less("bytes", "What the index itself says that it holds, as .INDEX"),
    gc_count: less("1", "Collections while the indexes followed all steps, as .INDEX"),
    gc_ms: less("ms", "How long they took, as .INDEX"),
    update_ms: less("ms", "To follow a step, collections included, as .INDEX"),
  },
  setup: ({ params, seed }) => ({ crowds: gatherCrowds(params, seed), collect: garbageCollector() }),
  async run({ params, signal, warn }, { crowds, collect }) {
    if (collect === null && params.track_memory_usage) {
      warn(
        "this engine can't be asked to collect garbage: bytes are upper bounds. Run node with --expose-gc.",
      );
    }
    const means = new MeanBy();
    const most = Math.max(...params.agent_counts);
    for (const crowd of crowds) {
      await pause(signal);
      crowd.begin();
      const { agents } = crowd.options;
      const note = (name: string, make: () => unknown, isIndex: boolean) => {
        const bytes = heldBytes(make, agents, collect);
        const endings = isIndex ? ["", `.${name}`, `.${name}.n${agents}`] : [];
        for (const ending of endings) means.add(`held_bytes${ending}`, bytes);
        if (agents === most) means.add(`bytes_per_agent.${name}`, bytes / agents);
      };
      for (const algorithm of chosenAlgorithms(params)) {
        const make = () => {
          const index = spatialIndexes[algorithm]();
          index.build(crowd.points);
          return index;
        };
        means.add(`estimated_bytes.${algorithm}`, make().bytes());
        if (params.track_memory_usage) note(algorithm, make, true);
      }
      for (const name of params.track_memory_usage ? new Set(params.data_structures) : []) {
        note(name, () => STRUCTURES[name](crowd.points), false);
      }
    }
    const garbage: Record<string, number> = {};
    for (const algorithm of params.track_garbage_collection ? chosenAlgorithms(params) : []) {
      await pause(signal);
      const { count, gcMs, updateMs } = watchGarbage(() => follow(crowds, algorithm, params.steps));
      garbage[`gc_count.${algorithm}`] = count;
      garbage[`gc_ms.${algorithm}`] = gcMs;
      garbage[`update_ms.${algorithm}`] = updateMs / (crowds.length * params.steps);
    }
    return { ...means.means(), ...garbage };
  },
});

/** Milliseconds of updates alone. */
function follow(crowds: Crowd[], algorithm: keyof typeof spatialIndexes, steps: number): number {
  let updateMs = 0;
  for (const crowd of crowds) {
    const index = spatialIndexes[algorithm]();
    crowd.begin();
    index.build(crowd.points);
    for (let step = 0; step < steps; step++) {
      crowd.step();
      const start = performance.now();
      index.update(crowd.moved, crowd.points);
      updateMs += performance.now() - start;
    }
  }
  return updateMs;
}

function watchGarbage(work: () => number): { count: number; gcMs: number; updateMs: number } {
  const profiler = new GCProfiler();
  profiler.start();
  const updateMs = work();
  const collections = profiler.stop()?.statistics ?? [];
  const gcMs = collections.reduce((sum, { cost }) => sum + cost / 1000, 0);
  return { count: collections.length, gcMs, updateMs };
}
