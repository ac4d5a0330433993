import { RandomStream } from "../../core/random.ts";
import { type BinnedColumn, binColumn } from "./bin-column.ts";
import { growTree, leafOf, type Tree } from "./grow-tree.ts";
import type { ParameterColumn } from "./parameter-columns.ts";

/** Regression trees, each of a bootstrap sample of the points (L. Breiman, Machine Learning 45 (2001), 5-32). */
export interface Forest {
  columns: BinnedColumn[];
  trees: Tree[];
  /** Points that a tree has not seen, tree by tree. */
  outOfBag: Int32Array[];
}

export interface ForestOptions {
  trees?: number;
  seed?: number;
}

const FEWEST_IN_LEAF = 3;
/** Beyond this many leaves a tree follows noise, and takes its time for it. */
const MOST_LEAVES = 200;

/** Grows a forest; the same points and seed give the same trees. O(trees · points · parameters · log points). */
export function growForest(
  parameters: readonly ParameterColumn[],
  values: readonly number[],
  { trees = 64, seed = 1 }: ForestOptions = {},
): Forest {
  const columns = parameters.map(binColumn);
  const targets = Float64Array.from(values);
  const uniform = new RandomStream(seed, "forest").sequence();
  const n = values.length;
  const forest: Forest = { columns, trees: [], outOfBag: [] };
  // Most parameters stand for choice at each node: with few of them a third, as is usual, would often be noise only.
  const tried = Math.max(1, Math.ceil(columns.length * 0.6));
  const fewest = Math.max(FEWEST_IN_LEAF, Math.round(n / MOST_LEAVES));
  for (let t = 0; t < trees; t++) {
    const sample = new Int32Array(n);
    const isIn = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const pick = Math.floor(uniform() * n);
      sample[i] = pick;
      isIn[pick] = 1;
    }
    forest.trees.push(growTree({ columns, targets, tried, fewest, uniform }, sample));
    forest.outOfBag.push(Int32Array.from(values.keys()).filter((i) => isIn[i] === 0));
  }
  return forest;
}

/** What the forest expects where each column has this bin. */
export function predict({ trees }: Forest, binOf: (column: number) => number): number {
  let sum = 0;
  for (const tree of trees) sum += tree.value[leafOf(tree, binOf)]!;
  return sum / trees.length;
}
