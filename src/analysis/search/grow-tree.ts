import type { BinnedColumn } from "./bin-column.ts";

/** A regression tree as columns, one entry a node; the root is node 0. */
export interface Tree {
  /** The parameter that a node asks for; -1 in a leaf. */
  column: number[];
  /** Which bins go left. */
  goesLeft: Uint8Array[];
  left: number[];
  right: number[];
  /** The mean of the node's points. */
  value: number[];
}

interface Growing {
  columns: readonly BinnedColumn[];
  targets: Float64Array;
  /** Parameters that each node chooses from, at random. */
  tried: number;
  fewest: number;
  uniform: () => number;
}

interface Split {
  gain: number;
  column: number;
  goesLeft: Uint8Array;
}

const NOWHERE = new Uint8Array();
/** Used anew for each split: a forest makes hundreds of thousands. A column has at most 256 bins. */
const SUMS = new Float64Array(256);
const SIZES = new Int32Array(256);

/** Splits points until leaves are small, each time by what lowers the squared error most. */
export function growTree(growing: Growing, sample: Int32Array): Tree {
  const tree: Tree = { column: [], goesLeft: [], left: [], right: [], value: [] };
  const waiting: { node: number; points: Int32Array }[] = [{ node: addNode(tree), points: sample }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, points } = next;
    let sum = 0;
    for (let k = 0; k < points.length; k++) sum += growing.targets[points[k]!]!;
    tree.value[node] = sum / points.length;
    const split = points.length < 2 * growing.fewest ? undefined : bestSplit(growing, points, sum);
    if (!split) continue;
    const { bins } = growing.columns[split.column]!;
    const goes = (i: number) => split.goesLeft[bins[i]!] === 1;
    tree.column[node] = split.column;
    tree.goesLeft[node] = split.goesLeft;
    tree.left[node] = addNode(tree);
    tree.right[node] = addNode(tree);
    waiting.push({ node: tree.left[node]!, points: points.filter(goes) });
    waiting.push({ node: tree.right[node]!, points: points.filter((i) => !goes(i)) });
  }
  return tree;
}

/** The leaf where each column has the bin that is given. */
export function leafOf({ column, goesLeft, left, right }: Tree, binOf: (column: number) => number): number {
  let node = 0;
  for (let asked = column[0]!; asked >= 0; asked = column[node]!)
    node = goesLeft[node]![binOf(asked)] === 1 ? left[node]! : right[node]!;
  return node;
}

function addNode(tree: Tree): number {
  tree.goesLeft.push(NOWHERE);
  tree.left.push(-1);
  tree.right.push(-1);
  tree.value.push(0);
  return tree.column.push(-1) - 1;
}

function bestSplit(growing: Growing, points: Int32Array, total: number): Split | undefined {
  const { columns, tried, uniform } = growing;
  const order = columns.map((_, i) => i);
  let best: Split | undefined;
  for (let k = 0; k < tried; k++) {
    const at = k + Math.floor(uniform() * (order.length - k));
    [order[k], order[at]] = [order[at]!, order[k]!];
    const split = splitBy(growing, order[k]!, { points, total });
    if (split && (!best || split.gain > best.gain)) best = split;
  }
  return best;
}

/** The best cut of one column; categories are ordered by their means first, which finds the best set of them. */
function splitBy(
  { columns, targets, fewest }: Growing,
  column: number,
  { points, total }: { points: Int32Array; total: number },
): Split | undefined {
  const { bins, count, isOrdered } = columns[column]!;
  SUMS.fill(0, 0, count);
  SIZES.fill(0, 0, count);
  const [sums, sizes] = [SUMS, SIZES];
  // The loop that all the time goes into.
  for (let k = 0; k < points.length; k++) {
    const i = points[k]!;
    const bin = bins[i]!;
    sums[bin]! += targets[i]!;
    sizes[bin]!++;
  }
  const there: number[] = [];
  for (let bin = 0; bin < count; bin++) if (sizes[bin]! > 0) there.push(bin);
  if (there.length < 2) return undefined;
  if (!isOrdered) there.sort((a, b) => sums[a]! / sizes[a]! - sums[b]! / sizes[b]! || a - b);
  const n = points.length;
  const base = (total * total) / n;
  let [size, sum, cut] = [0, 0, -1];
  let gain = 1e-12 * Math.abs(base);
  for (let k = 0; k < there.length - 1; k++) {
    size += sizes[there[k]!]!;
    sum += sums[there[k]!]!;
    if (size < fewest || n - size < fewest) continue;
    const gained = (sum * sum) / size + (total - sum) ** 2 / (n - size) - base;
    if (gained > gain) [gain, cut] = [gained, k];
  }
  if (cut < 0) return undefined;
  const goesLeft = new Uint8Array(count);
  // A bin that no point here has goes with its neighbours; a category that none has goes right.
  if (isOrdered) goesLeft.fill(1, 0, there[cut]! + 1);
  else for (let k = 0; k <= cut; k++) goesLeft[there[k]!] = 1;
  return { gain, column, goesLeft };
}
