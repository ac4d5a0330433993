import type { SpatialIndex } from "../spatial-index.ts";
import { BruteForce } from "./brute-force.ts";
import { FlatbushIndex } from "./flatbush-index.ts";
import { KdbushIndex } from "./kdbush-index.ts";
import { QuadtreeIndex } from "./quadtree-index.ts";
import { RbushIndex } from "./rbush-index.ts";
import { UniformGrid } from "./uniform-grid.ts";

/** Every kind of index, by the name that studies use. */
export const spatialIndexes = {
  quadtree: () => new QuadtreeIndex(),
  spatial_hash: () => new UniformGrid(),
  kd_tree: () => new KdbushIndex(),
  flatbush: () => new FlatbushIndex(),
  rbush: () => new RbushIndex(),
  brute: () => new BruteForce(),
} satisfies Record<string, () => SpatialIndex>;

export type Algorithm = keyof typeof spatialIndexes;
export const algorithms = Object.keys(spatialIndexes) as [Algorithm, ...Algorithm[]];
