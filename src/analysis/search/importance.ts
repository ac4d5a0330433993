import { RandomStream, shuffle } from "../../core/random.ts";
import { type Interval, known, quantile, type Result, tInterval, unknownBecause } from "../../stats/index.ts";
import { type Forest, growForest } from "./forest.ts";
import { leafOf } from "./grow-tree.ts";
import type { ParameterColumn } from "./parameter-columns.ts";

/** Far out by Tukey's rule: three times the middle half's width beyond it. What is a little beyond stays as it is. */
const FAR = 3;
const DIVERGED = 10;

export interface Importances {
  /** By parameter, the most important first. */
  parameters: ParameterImportance[];
  /** Share of the variance that the forest explains of points that its trees have not seen. */
  explained: number;
  points: number;
  /** Points that were far worse than the others and count as just beyond them. */
  clipped: number;
}

export interface ParameterImportance {
  name: string;
  /** Share of the objective's variance that goes with the parameter, alone and with others. */
  share: number;
  interval: Result<Interval>;
}

const FEWEST_POINTS = 20;

/**
 * How much each parameter matters, over the points that were tried: by how much the forest's squared error on points
 * that a tree has not seen grows when the parameter's values are shuffled (Breiman 2001). Of a function of independent
 * parameters that grows by twice the parameter's total effect (I. M. Sobol', Math. Comput. Simul. 55 (2001), 271-280),
 * so half of it over the variance is a share. The interval is over points.
 */
export function parameterImportance(
  columns: readonly ParameterColumn[],
  losses: readonly number[],
  seed = 1,
): Result<Importances & { forest: Forest }> {
  if (columns.length === 0) return unknownBecause("no parameter took more than one value");
  if (losses.length < FEWEST_POINTS)
    return unknownBecause(
      `${losses.length} finished points are too few for a forest (${FEWEST_POINTS} or more)`,
    );
  const { values, clipped } = clipWorst(losses);
  const centre = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
  if (!(variance > 1e-24 * centre * centre)) return unknownBecause("all points have the same value");
  const forest = growForest(columns, values, { seed });
  const { increases, explained } = shuffled(forest, values, { variance, seed });
  const parameters = columns.map(({ name }, j): ParameterImportance => {
    const shares = increases[j]!.map((increase) => increase / (2 * variance));
    const interval = tInterval(shares);
    return { name, share: shares.reduce((a, b) => a + b, 0) / shares.length, interval };
  });
  parameters.sort((a, b) => b.share - a.share);
  return known({ parameters, explained, points: values.length, clipped, forest });
}

/** Of each point the mean growth of the squared error over the trees that have not seen it, parameter by parameter. */
function shuffled(
  { columns, trees, outOfBag }: Forest,
  values: readonly number[],
  { variance, seed }: { variance: number; seed: number },
): { increases: number[][]; explained: number } {
  const n = values.length;
  const width = columns.length;
  const growth = columns.map(() => new Float64Array(n));
  const predicted = new Float64Array(n);
  const seen = new Int32Array(n);
  for (const [t, tree] of trees.entries()) {
    const left = outOfBag[t]!;
    const asked = new Set(tree.column);
    // What a point's way through the tree does not ask for can be shuffled without a look.
    const isOnWay = new Uint8Array(left.length * width);
    const errors = Array.from(left, (i, k) => {
      const leaf = leafOf(tree, (column) => {
        isOnWay[k * width + column] = 1;
        return columns[column]!.bins[i]!;
      });
      predicted[i]! += tree.value[leaf]!;
      seen[i]!++;
      return (values[i]! - tree.value[leaf]!) ** 2;
    });
    for (const [j, { bins }] of columns.entries()) {
      if (!asked.has(j)) continue;
      const donors = shuffle([...left], new RandomStream(seed, `importance ${t} ${j}`));
      for (const [k, i] of left.entries()) {
        const donor = bins[donors[k]!]!;
        if (isOnWay[k * width + j] === 0 || donor === bins[i]!) continue;
        const leaf = leafOf(tree, (column) => (column === j ? donor : columns[column]!.bins[i]!));
        const value = tree.value[leaf]!;
        growth[j]![i]! += (values[i]! - value) ** 2 - errors[k]!;
      }
    }
  }
  const there = values.map((_, i) => i).filter((i) => seen[i]! > 0);
  const squares = there.reduce((sum, i) => sum + (values[i]! - predicted[i]! / seen[i]!) ** 2, 0);
  return {
    increases: growth.map((column) => there.map((i) => column[i]! / seen[i]!)),
    explained: 1 - squares / there.length / variance,
  };
}

/**
 * Losses (smaller is better) with those that are far worse than the rest brought to the fence: a few runs that
 * diverged would else be all that a picture, or a variance, is about.
 */
export function clipWorst(losses: readonly number[]): { values: number[]; clipped: number; fence: number } {
  const [low, high] = [quantile(losses, 0.25), quantile(losses, 0.75)];
  const width = low.known && high.known ? high.value - low.value : 0;
  const worst = losses.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const hasDiverged = high.known && width > 0 && worst > high.value + DIVERGED * width;
  const fence = hasDiverged ? high.value + FAR * width : Number.POSITIVE_INFINITY;
  return {
    values: losses.map((loss) => Math.min(loss, fence)),
    clipped: losses.filter((loss) => loss > fence).length,
    fence,
  };
}
