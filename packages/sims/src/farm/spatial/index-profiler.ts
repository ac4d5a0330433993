import { defineTarget, type MetricInfo } from "assay/plugin";
import * as z from "zod";
import { MeanBy } from "../../kernel/statistics.ts";
import { pause } from "../pause.ts";
import { Crowd } from "./crowd.ts";
import { spatialIndexes } from "./indexes/index.ts";
import { bySize, chosenAlgorithms, spatialParams } from "./params.ts";
import type { SpatialIndex } from "./spatial-index.ts";

interface Profile {
  medianUs: number;
  p99Us: number;
}

interface Options {
  steps: number;
  queries: number;
  neighbors: number;
  query_types: ("range" | "nearest" | "intersection")[];
  query_radius: number;
}

/** Times every operation by itself over a walk: slower than timing many at once, but it shows the slow ones. */
function profileIndex(index: SpatialIndex, crowd: Crowd, options: Options): Record<string, Profile> {
  const { steps, queries, neighbors, query_radius: radius } = options;
  const { agents } = crowd.options;
  const { x, y } = crowd.points;
  const out = new Uint32Array(Math.max(agents, neighbors));
  const ask = {
    range: (at: number) => index.range(x[at]!, y[at]!, radius, out),
    nearest: (at: number) => index.nearest(x[at]!, y[at]!, neighbors, out),
    intersection: (at: number) => index.range(x[at]!, y[at]!, 2 * radius, out),
  };
  const types = [...new Set(options.query_types)];
  const times: Record<string, Float64Array> = {
    build: new Float64Array(steps),
    update: new Float64Array(steps),
  };
  for (const type of types) times[type] = new Float64Array(steps * queries);
  crowd.begin();
  for (let step = 0; step < steps; step++) times.build![step] = elapsedUs(() => index.build(crowd.points));
  for (let step = 0; step < steps; step++) {
    crowd.step();
    times.update![step] = elapsedUs(() => index.update(crowd.moved, crowd.points));
    for (const type of types) {
      for (let q = step * queries; q < (step + 1) * queries; q++) {
        times[type]![q] = elapsedUs(() => ask[type](q % agents));
      }
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([operation, us]) => {
      us.sort();
      return [operation, { medianUs: quantile(us, 0.5), p99Us: quantile(us, 0.99) }];
    }),
  );
}

function elapsedUs(operation: () => unknown): number {
  const start = performance.now();
  operation();
  return (performance.now() - start) * 1000;
}

/** The smallest value that at least this share is not above. */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1]!;
}

const { query_radii: _radii, world_sizes: _sizes, ...shared } = spatialParams;

const us = (description: string): MetricInfo => ({ unit: "us", direction: "minimize", description });

const operations = {
  build_us: us(
    "To build an index: mean over the numbers of agents of the median; as .INDEX and .INDEX.nAGENTS",
  ),
  update_us: us("To follow a step: likewise"),
  range_us: us("A range query: likewise"),
  nearest_us: us("A query for the nearest: likewise"),
  intersection_us: us("An intersection query: likewise"),
};

/** How long single operations of an index take, and how long the slow ones among them. */
export const spatialIndexProfiler = defineTarget({
  name: "spatial_index_profiler",
  version: "1",
  description: "times single builds, updates and queries of spatial indexes: median and 99th percentile",
  params: z.strictObject({
    ...shared,
    agent_counts: shared.agent_counts.unwrap().default([100, 500, 1000]).describe("Numbers of agents"),
    world_size: z.number().gt(0).max(1e6).default(200).describe("Side of the square world"),
    query_types: z
      .array(z.enum(["range", "nearest", "intersection"]))
      .min(1)
      .default(["range", "nearest", "intersection"])
      .describe("Kinds of queries; intersection: whose circle of the same radius overlaps one's own"),
    query_radius: z.number().min(0).max(1e6).default(25).describe("Radius of range and intersection queries"),
  }),
  metrics: {
    ...bySize(operations),
    ...operations,
    build_p99_us: us("99th percentiles, with the same endings"),
    update_p99_us: us("99th percentiles, with the same endings"),
    range_p99_us: us("99th percentiles, with the same endings"),
    nearest_p99_us: us("99th percentiles, with the same endings"),
    intersection_p99_us: us("99th percentiles, with the same endings"),
    clock_us: us("What reading the clock costs, which is in each of these times"),
  },
  setup: ({ params, seed }) =>
    params.agent_counts.map((agents) => {
      const { world_size: worldSize, distribution, moving_share: movingShare } = params;
      return new Crowd({ agents, worldSize, distribution, movingShare, seed });
    }),
  async run({ params, signal }, crowds) {
    const means = new MeanBy();
    for (const crowd of crowds) {
      for (const algorithm of chosenAlgorithms(params)) {
        await pause(signal);
        const profile = profileIndex(spatialIndexes[algorithm](), crowd, params);
        for (const [operation, { medianUs, p99Us }] of Object.entries(profile)) {
          for (const ending of ["", `.${algorithm}`, `.${algorithm}.n${crowd.options.agents}`]) {
            means.add(`${operation}_us${ending}`, medianUs);
            means.add(`${operation}_p99_us${ending}`, p99Us);
          }
        }
      }
    }
    return { ...means.means(), clock_us: clockUs() };
  },
});

/** Mean over many readings: one alone is shorter than the clock can tell. */
function clockUs(): number {
  const readings = 2000;
  const start = performance.now();
  for (let i = 0; i < readings; i++) performance.now();
  return ((performance.now() - start) / readings) * 1000;
}
