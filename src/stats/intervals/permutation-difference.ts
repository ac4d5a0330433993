import { tQuantile } from "../distributions/students-t.ts";
import { requireCount, requireFraction, type Side } from "../options.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { known, type Result, unknownBecause } from "../result.ts";
import { allEqual, pairProblem, type Sample } from "../sample.ts";
import { choose } from "../special/choose.ts";
import { findRoot } from "../special/find-root.ts";
import { moments } from "../summaries/moments.ts";
import { floorCaution, sidedP } from "../tests/p-value.ts";
import type { Interval } from "./interval.ts";
import { type SplitOptions, TrimmedSplits } from "./trimmed-splits.ts";

/** An interval for the difference of two means and the p of the permutation test that it inverts. */
export interface PermutationDifference extends Interval {
  p: number;
  /** The smallest p that these sizes, or so many relabellings, can give. */
  floor: number;
}

export interface PermutationOptions {
  level?: number;
  side?: Side;
  resamples?: number;
  seed?: number;
  /** Compares trimmed means: the share that is left out at either end of a sample. */
  trim?: number;
}

/** What a permutation test needs to know of two samples. */
interface Relabelled {
  estimate: number;
  /** The standard error of the difference. */
  spread: number;
  isExact: boolean;
  ways: number;
  /** How many relabellings have a t at least as high (1) or as low (−1) as the one seen, if the first sample lies `delta` too high. */
  beyond(delta: number, side: 1 | -1): number;
}

/** Up to so many relabellings all are taken; beyond, random ones. */
const MOST_WAYS = 20_000;

/** In standard errors: so far from where t ends an interval its end is looked for first. */
const STRIDE = 0.2;

/**
 * The difference of two independent means, x − y, by the permutation of Welch's t: if the arms differ by `delta` and in
 * nothing else, any split of what is left after taking it off was as likely as the one seen. Exact for that at any sizes
 * and any shape, and for large n right for unequal spreads too. The interval holds every `delta` that is not rejected,
 * and each tail is counted by itself, so p and interval agree.
 * Sources: A. Janssen, Stat. Probab. Lett. 36 (1997), 9-21; E. Chung and J. P. Romano, Ann. Stat. 41 (2013), 484-507;
 * the observed split counted among random ones: B. Phipson and G. K. Smyth, SAGMB 9 (2010), 39.
 */
export function permutationDifference(
  xs: Sample,
  ys: Sample,
  options: PermutationOptions = {},
): Result<PermutationDifference> {
  const { side = "two-sided", seed = 1 } = options;
  const level = requireFraction(options.level ?? 0.95, "level");
  const resamples = requireCount(options.resamples ?? 9_999, "resamples", 99);
  const problem = pairProblem(xs, ys, 2);
  if (problem) return unknownBecause(problem);
  if (allEqual(xs) && allEqual(ys))
    return unknownBecause("each sample's values are all equal, so their spread says nothing");
  const { trim = 0 } = options;
  // Splits are told apart by the smaller arm, whichever it is.
  const isSwapped = xs.length > ys.length;
  const [first, second] = isSwapped ? [ys, xs] : [xs, ys];
  const drawn = { resamples, seed, isExact: choose(xs.length + ys.length, first.length) <= MOST_WAYS };
  const splits: Relabelled =
    trim > 0 ? new TrimmedSplits(first, second, { ...drawn, trim }) : new Splits(first, second, drawn);
  if (!(splits.spread > 0))
    return unknownBecause("the middle values are all equal, so their spread says nothing");
  const sign = isSwapped ? -1 : 1;
  const above = (delta: number) => splits.beyond(sign * delta, sign);
  const below = (delta: number) => splits.beyond(sign * delta, isSwapped ? 1 : -1);
  const estimate = sign * splits.estimate;
  const [up, down] = [above(0), below(0)];
  const share = side === "two-sided" ? (1 - level) / 2 : 1 - level;
  const size = {
    ...{ share, ways: splits.ways, scale: splits.spread, df: xs.length + ys.length - 2 },
    // Every shift of trimmed samples takes their splits apart anew.
    within: trim > 0 ? 1e-3 : 1e-5,
  };
  const low =
    side === "less" ? Number.NEGATIVE_INFINITY : intervalEnd(above, { estimate, atZero: up, ...size });
  const high =
    side === "greater"
      ? Number.POSITIVE_INFINITY
      : -intervalEnd((delta) => below(-delta), { estimate: -estimate, atZero: down, ...size });
  const floor = (side === "two-sided" ? 2 : 1) / splits.ways;
  return known({
    ...{ estimate, low, high, p: sidedP(down / splits.ways, up / splits.ways, side), level, side, floor },
    method: `permutation of ${trim > 0 ? "the trimmed" : "Welch's"} t, ${splits.isExact ? "exact" : "sampled"}`,
    cautions: floorCaution(floor, `samples of ${xs.length} and ${ys.length}`),
  });
}

interface EndOf {
  estimate: number;
  share: number;
  ways: number;
  /** How many ways are beyond what was seen if there is no difference. */
  atZero: number;
  /** The standard error of the difference, and its degrees of freedom: what t would make the end. */
  scale: number;
  df: number;
  /** In standard errors, how close is close enough. */
  within: number;
}

/**
 * The difference at which so high a one has the chance `share`, on the side of 0 that the test at 0 points to. No end
 * is found where so few splits can't reach the share: then it is open.
 */
function intervalEnd(
  beyond: (delta: number) => number,
  { estimate, share, ways, atZero, scale, df, within }: EndOf,
): number {
  // A way that is neither counted nor not, so that the excess of a step function is never 0 and its sign is that of the test.
  const most = Math.floor(share * ways + 1e-9);
  const seen = new Map([
    [0, most + 0.5 - atZero],
    [estimate, -ways / 2],
  ]);
  const excess = (delta: number): number => {
    const found = seen.get(delta) ?? most + 0.5 - beyond(delta);
    seen.set(delta, found);
    return found;
  };
  const isSure = atZero <= most;
  let inner = estimate;
  let outer = estimate + Math.min(-STRIDE, tQuantile(share, df)) * scale;
  let step = STRIDE * scale;
  if (excess(outer) > 0) {
    // Rejected here: the end lies between this and the estimate.
    for (let next = outer + step; next < estimate; next += step, step *= 2) {
      if (excess(next) < 0) {
        inner = next;
        break;
      }
      outer = next;
    }
  } else {
    for (;;) {
      inner = outer;
      outer -= step;
      if (excess(outer) > 0) break;
      step *= 2;
      if (step > 1e6 * scale) return isSure ? Number.MIN_VALUE : Number.NEGATIVE_INFINITY;
    }
  }
  const end = findRoot(excess, outer, inner, within * scale);
  return isSure ? Math.max(Number.MIN_VALUE, end) : Math.min(0, end);
}

/**
 * All splits of two samples, or many at random. Each is kept as what its statistic needs for any shift of the first
 * sample: how many of the first part are of that sample, their sum, and the sum and squares of the first part.
 */
class Splits implements Relabelled {
  readonly estimate: number;
  readonly spread: number;
  readonly isExact: boolean;
  readonly ways: number;
  readonly #m: number;
  readonly #n: number;
  #filled = 0;
  readonly #own: Float64Array;
  readonly #ownSum: Float64Array;
  readonly #sum: Float64Array;
  readonly #squares: Float64Array;
  #total = 0;
  #allSquares = 0;
  #firstSum = 0;

  constructor(xs: Sample, ys: Sample, { resamples, seed, isExact }: SplitOptions) {
    const [a, b] = [moments(xs), moments(ys)];
    const [m, n] = [xs.length, ys.length];
    this.estimate = a.mean - b.mean;
    this.spread = Math.sqrt(a.variance / m + b.variance / n);
    this.#m = m;
    this.#n = n;
    this.isExact = isExact;
    this.ways = isExact ? Math.round(choose(m + n, m)) : resamples + 1;
    [this.#own, this.#ownSum, this.#sum, this.#squares] = [0, 1, 2, 3].map(
      () => new Float64Array(this.ways),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array];
    // About the mean of all, so that sums of squares lose nothing.
    const centre = (a.mean * m + b.mean * n) / (m + n);
    const values = new Float64Array(m + n);
    for (let i = 0; i < m; i++) values[i] = xs[i]! - centre;
    for (let i = 0; i < n; i++) values[m + i] = ys[i]! - centre;
    for (let i = 0; i < m + n; i++) {
      this.#total += values[i]!;
      this.#allSquares += values[i]! ** 2;
      if (i < m) this.#firstSum += values[i]!;
    }
    if (this.isExact) this.#takeAll(values);
    else this.#takeSome(values, resamples, seed);
  }

  #keep(own: number, ownSum: number, sum: number, squares: number): void {
    const i = this.#filled++;
    this.#own[i] = own;
    this.#ownSum[i] = ownSum;
    this.#sum[i] = sum;
    this.#squares[i] = squares;
  }

  #takeAll(values: Float64Array): void {
    const m = this.#m;
    const grow = (
      from: number,
      missing: number,
      own: number,
      ownSum: number,
      sum: number,
      squares: number,
    ) => {
      if (missing === 0) return this.#keep(own, ownSum, sum, squares);
      for (let i = from; i <= values.length - missing; i++) {
        const x = values[i]!;
        if (i < m) grow(i + 1, missing - 1, own + 1, ownSum + x, sum + x, squares + x * x);
        else grow(i + 1, missing - 1, own, ownSum, sum + x, squares + x * x);
      }
    };
    grow(0, m, 0, 0, 0, 0);
  }

  #takeSome(values: Float64Array, resamples: number, seed: number): void {
    const m = this.#m;
    const random = new FastRandom(seed, "permutation-difference");
    const order = Int32Array.from(values, (_, i) => i);
    const observed = values.subarray(0, m);
    this.#keep(
      m,
      this.#firstSum,
      this.#firstSum,
      observed.reduce((total, x) => total + x * x, 0),
    );
    for (let b = 0; b < resamples; b++) {
      let [own, ownSum, sum, squares] = [0, 0, 0, 0];
      for (let i = 0; i < m; i++) {
        const j = i + random.below(order.length - i);
        const k = order[j]!;
        order[j] = order[i]!;
        order[i] = k;
        const x = values[k]!;
        sum += x;
        squares += x * x;
        if (k < m) {
          own++;
          ownSum += x;
        }
      }
      this.#keep(own, ownSum, sum, squares);
    }
  }

  beyond(delta: number, side: 1 | -1): number {
    const [m, n] = [this.#m, this.#n];
    const total = this.#total - m * delta;
    const allSquares = this.#allSquares - 2 * delta * this.#firstSum + m * delta * delta;
    const nothing = 1e-13 * allSquares;
    const statistic = (sum: number, squares: number) => {
      const rest = total - sum;
      const difference = sum / m - rest / n;
      const spread =
        (squares - (sum * sum) / m) / ((m - 1) * m) +
        (allSquares - squares - (rest * rest) / n) / ((n - 1) * n);
      if (spread > nothing) return difference / Math.sqrt(spread);
      return difference * difference <= nothing ? 0 : difference * Number.POSITIVE_INFINITY;
    };
    const seen = (this.estimate - delta) / this.spread;
    const least = side * seen - 1e-9 * (1 + Math.abs(seen));
    let count = 0;
    for (let i = 0; i < this.ways; i++) {
      const own = this.#own[i]!;
      const sum = this.#sum[i]! - own * delta;
      const squares = this.#squares[i]! - 2 * delta * this.#ownSum[i]! + own * delta * delta;
      if (side * statistic(sum, squares) >= least) count++;
    }
    return count;
  }
}
