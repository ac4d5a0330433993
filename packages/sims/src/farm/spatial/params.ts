import type { MetricInfo } from "assay/plugin";
import * as z from "zod";
import { type Algorithm, algorithms } from "./indexes/index.ts";

const MOST_AGENTS = 1_000_000;

/** A list that is one value: it does not sweep. */
const list = <S extends z.ZodType>(item: S, values: z.output<S>[]) =>
  z
    .array(item)
    .min(1)
    .default(values as never);

/** What the spatial targets have in common; each takes what it needs. */
export const spatialParams = {
  algorithms: list(z.enum(algorithms), ["quadtree", "spatial_hash", "kd_tree"]).describe(
    "Indexes to measure, side by side: quadtree (d3-quadtree), spatial_hash (our uniform grid), kd_tree (kdbush), flatbush, rbush, brute (no index)",
  ),
  algorithm: z
    .enum(["all", ...algorithms])
    .default("all")
    .describe("One index alone instead of `algorithms`: an axis, for runs that are compared with statistics"),
  agent_counts: list(z.int().min(1).max(MOST_AGENTS), [100, 500, 1000, 2000]).describe("Numbers of agents"),
  world_sizes: list(z.number().gt(0).max(1e6), [100, 200, 500]).describe("Sides of the square world"),
  query_radii: list(z.number().min(0).max(1e6), [10, 20, 50]).describe("Radii of range queries"),
  steps: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe("Steps: agents move, the index follows, queries are asked"),
  distribution: z
    .enum(["uniform", "clustered"])
    .default("uniform")
    .describe("Where agents start: anywhere, or in eight heaps"),
  moving_share: z.number().gt(0).max(1).default(1).describe("Share of the agents that move in a step"),
  queries: z
    .int()
    .min(1)
    .max(100_000)
    .default(10)
    .describe("Queries of each kind in a step, from where agents are"),
  neighbors: z.int().min(1).max(1000).default(8).describe("How many nearest agents a query asks for"),
};

/** The same metrics of each index and each number of agents: what a run is about, with both as settings. */
export function bySize(infos: Record<string, MetricInfo>): Record<string, MetricInfo> {
  return Object.fromEntries(
    Object.entries(infos).map(([name, info]) => [
      `${name}.{algorithm}.n{agents}`,
      { ...info, primary: true },
    ]),
  );
}

/** The indexes that a run is about, each once. */
export function chosenAlgorithms(params: {
  algorithms: Algorithm[];
  algorithm: Algorithm | "all";
}): Algorithm[] {
  return params.algorithm === "all" ? [...new Set(params.algorithms)] : [params.algorithm];
}
