import { clopperPearsonInterval } from "../intervals/proportion-intervals.ts";
import { lnGamma } from "../special/gamma.ts";
import { type Count, independentRoot, pairedRoot } from "./rate-statistics.ts";

/**
 * The largest chance, over the pairs of rates that differ by `delta` and that the counts do not rule out, that so many
 * pairs speak at least as much for the first arm as those seen, where those that speak as much count half (mid-p): the p of
 * the test that the first rate is at most `delta` above the second. What the counts rule out has a chance of one in a million,
 * which is added. Sources: S. Suissa and J. J. Shuster, Biometrics 47 (1991), 361-372; R. L. Berger and D. D. Boos, JASA 89
 * (1994), 1012-1016; mid-p: H. O. Lancaster, JASA 56 (1961), 223-234.
 */
export function pairedTail(onlyFirst: number, onlySecond: number, n: number): (delta: number) => number {
  const logs = lnFactorials(n);
  const [first, second] = [possible(onlyFirst, n), possible(onlySecond, n)];
  return (delta) => {
    const seen = pairedRoot(onlyFirst, onlySecond, n, delta);
    const steps = pairSteps(n, delta, seen);
    const least = Math.max(second.low, first.low - delta);
    const most = Math.min(second.high, first.high - delta, (1 - delta) / 2);
    if (least > most) return seen > 0 ? RULED_OUT : 1;
    return highest(least, most, n, (rate) =>
      midChance(steps, { first: rate + delta, second: rate, n, logs }),
    );
  };
}

/** From where on pairs speak as much for the first arm as `edge`, and from where on they speak more. */
function pairSteps(n: number, delta: number, edge: number): readonly [Int32Array, Int32Array] {
  const root = (b: number, c: number) => pairedRoot(b, c, n, delta);
  return [
    staircase(n, n, (b, c) => b + c <= n && root(b, c) >= lowered(edge)),
    staircase(n, n, (b, c) => b + c <= n && root(b, c) > -lowered(-edge)),
  ];
}

function midChance([asMuch, more]: readonly [Int32Array, Int32Array], pairs: Pairs): number {
  return (chanceOfPairs(asMuch, pairs) + chanceOfPairs(more, pairs)) / 2;
}

/**
 * The same for x of m against y of n, of independent groups, where those that speak as much count in full: half of them
 * would claim up to .07 where .05 is promised. Source: I. S. F. Chan and Z. Zhang, Biometrics 55 (1999), 1202-1209.
 */
export function independentTail([x, m]: Count, [y, n]: Count): (delta: number) => number {
  const isBeyond = (delta: number) => x / m - y / n > delta;
  return independentChance([x, m], [y, n], isBeyond, (delta, groups) => {
    const seen = lowered(independentRoot([x, m], [y, n], delta));
    const from = staircase(m, n, (i, j) => independentRoot([i, m], [j, n], delta) >= seen);
    return (rate) => groups(from, rate, delta);
  });
}

/**
 * The chance of groups that differ from `delta` as much, either way. Of groups of unequal sizes one way may hold much less of it
 * than the other, so this finds more than twice the smaller one does. Source: A. Agresti and Y. Min, Biometrics 57 (2001), 963-971.
 */
export function independentTails([x, m]: Count, [y, n]: Count): (delta: number) => number {
  return independentChance(
    [x, m],
    [y, n],
    () => true,
    (delta, above, below) => {
      const seen = lowered(Math.abs(independentRoot([x, m], [y, n], delta)));
      const up = staircase(m, n, (i, j) => independentRoot([i, m], [j, n], delta) >= seen);
      const down = staircase(n, m, (j, i) => independentRoot([i, m], [j, n], delta) <= -seen);
      return seen <= 0 ? () => 1 : (rate) => above(up, rate, delta) + below(down, rate, delta);
    },
  );
}

/** The chance that the first count reaches, and that the second does, at a rate of the second arm. */
type Reach = (from: Int32Array, rate: number, delta: number) => number;

function independentChance(
  [x, m]: Count,
  [y, n]: Count,
  isBeyond: (delta: number) => boolean,
  at: (delta: number, first: Reach, second: Reach) => (rate: number) => number,
): (delta: number) => number {
  const logs = lnFactorials(Math.max(m, n));
  const [first, second] = [possible(x, m), possible(y, n)];
  const groups = (rate: number, delta: number) =>
    [new Binomial(m, rate + delta, logs), new Binomial(n, rate, logs)] as const;
  const above: Reach = (from, rate, delta) => chanceOfGroups(from, ...groups(rate, delta));
  const below: Reach = (from, rate, delta) => {
    const [ours, theirs] = groups(rate, delta);
    return chanceOfGroups(from, theirs, ours);
  };
  return (delta) => {
    const least = Math.max(second.low, first.low - delta);
    const most = Math.min(second.high, first.high - delta);
    if (least > most) return isBeyond(delta) ? RULED_OUT : 1;
    return highest(least, most, Math.max(m, n), at(delta, above, below));
  };
}

/** Where an exact test of equal rates rejects: for each count of the second arm, the least of the first. */
export interface Rejection {
  from: Int32Array;
  /** The chance of a count in it, of pairs at (first alone, second alone) or of groups at their rates. */
  chance(first: number, second: number): number;
}

/** Where the test on n pairs rejects towards the first arm, if it may do so with the chance `share` at most. */
export function pairedRejection(n: number, share: number): Rejection {
  const logs = lnFactorials(n);
  const at = (edge: number) => pairSteps(n, 0, edge)[0];
  const isAllowed = (from: Int32Array) => {
    // Those that count half are the least that is still in it.
    let least = Number.POSITIVE_INFINITY;
    for (let c = 0; c <= n; c++)
      if (from[c]! + c <= n) least = Math.min(least, pairedRoot(from[c]!, c, n, 0));
    const steps = pairSteps(n, 0, least);
    return highest(0, 0.5, n, (rate) => midChance(steps, { first: rate, second: rate, n, logs })) <= share;
  };
  const from = strictest(at, isAllowed);
  return { from, chance: (first, second) => chanceOfPairs(from, { first, second, n, logs }) };
}

/** The same for two independent groups of n each. */
export function independentRejection(n: number, share: number): Rejection {
  const logs = lnFactorials(n);
  const at = (root: number) => staircase(n, n, (i, j) => independentRoot([i, n], [j, n], 0) >= root);
  const chance = (from: Int32Array) => (first: number, second: number) =>
    chanceOfGroups(from, new Binomial(n, first, logs), new Binomial(n, second, logs));
  const from = strictest(at, (steps) => highest(0, 1, n, (rate) => chance(steps)(rate, rate)) <= share);
  return { from, chance: chance(from) };
}

/** The largest region that is still allowed, by how far its edge is from no difference. */
function strictest(at: (edge: number) => Int32Array, isAllowed: (from: Int32Array) => boolean): Int32Array {
  let [low, high] = [0, 40];
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (isAllowed(at(middle))) high = middle;
    else low = middle;
  }
  return at(high);
}

/** The chance that a rate is not one of those thought possible. */
const RULED_OUT = 1e-6;

/** The rates that a count does not rule out. */
function possible(count: number, n: number): { low: number; high: number } {
  const interval = clopperPearsonInterval(count, n, { level: 1 - RULED_OUT / 2 });
  return interval.known ? interval : { low: 0, high: 1 };
}

/** Scores that differ by rounding alone are tied. */
function lowered(score: number): number {
  return Number.isFinite(score) ? score - 1e-9 * (1 + Math.abs(score)) : score;
}

/** For each count of the second arm, the smallest count of the first that reaches: it grows with the second's. */
function staircase(most: number, n: number, reaches: (first: number, second: number) => boolean): Int32Array {
  const from = new Int32Array(n + 1);
  let first = 0;
  for (let second = 0; second <= n; second++) {
    while (first <= most && !reaches(first, second)) first++;
    from[second] = first;
  }
  return from;
}

interface Pairs {
  /** The chances that a pair is solved by the first arm alone, by the second alone. */
  first: number;
  second: number;
  n: number;
  logs: Float64Array;
}

/**
 * Given how many the second arm alone solved, the first's count is binomial among the rest. One survival function is
 * carried along: a try less, or a success more to reach, changes it by one binomial chance.
 */
function chanceOfPairs(from: Int32Array, { first, second, n, logs }: Pairs): number {
  const outer = new Binomial(n, second, logs);
  const inner = new Binomial(n - outer.from, second >= 1 ? 0 : first / (1 - second), logs);
  let chance = 0;
  let reach = 0;
  let tail = 1;
  for (let c = outer.from; c <= outer.to; c++) {
    inner.n = n - c;
    if (c > outer.from && reach > 0) tail -= inner.rate * inner.chance(reach - 1);
    while (reach < from[c]! && reach <= inner.n) tail -= inner.chance(reach++);
    if (from[c]! > inner.n) break;
    if (tail > 0) chance += outer.chance(c) * tail;
  }
  return chance;
}

function chanceOfGroups(from: Int32Array, first: Binomial, second: Binomial): number {
  const [ours, theirs] = [first.chances(), second.chances()];
  let chance = 0;
  let tail = 0;
  let above = first.n + 1;
  // Downwards, so that the first arm's survival function only grows.
  for (let j = second.n; j >= 0; j--) {
    while (above > from[j]!) tail += ours[--above]!;
    chance += theirs[j]! * tail;
  }
  return chance;
}

/** Beyond so many standard deviations and a few counts, a binomial chance is nothing beside a p. */
const FAR = 9;

/** Chances of a binomial count by the logarithms of factorials, and where it can be worth looking at them. */
class Binomial {
  n: number;
  readonly rate: number;
  readonly from: number;
  readonly to: number;
  readonly #success: number;
  readonly #failure: number;
  readonly #logs: Float64Array;

  constructor(n: number, rate: number, logs: Float64Array) {
    this.n = n;
    this.rate = Math.min(1, Math.max(0, rate));
    this.#success = Math.log(this.rate);
    this.#failure = Math.log(1 - this.rate);
    this.#logs = logs;
    const reach = FAR * Math.sqrt(n * this.rate * (1 - this.rate)) + FAR;
    this.from = Math.max(0, Math.floor(n * this.rate - reach));
    this.to = Math.min(n, Math.ceil(n * this.rate + reach));
  }

  chance(k: number): number {
    const { n } = this;
    const logs = this.#logs;
    const successes = k === 0 ? 0 : k * this.#success;
    const failures = k === n ? 0 : (n - k) * this.#failure;
    return Math.exp(logs[n]! - logs[k]! - logs[n - k]! + successes + failures);
  }

  /** Of every count: one by its logarithm, in the middle, and the others from their neighbours. */
  chances(): Float64Array {
    const { n, rate, from, to } = this;
    const all = new Float64Array(n + 1);
    const middle = Math.min(n, Math.round(n * rate));
    all[middle] = this.chance(middle);
    const odds = rate / (1 - rate);
    for (let k = middle; k < to; k++) all[k + 1] = (all[k]! * (n - k) * odds) / (k + 1);
    for (let k = middle; k > from; k--) all[k - 1] = (all[k]! * k) / ((n - k + 1) * odds);
    return all;
  }
}

function lnFactorials(n: number): Float64Array {
  return Float64Array.from({ length: n + 1 }, (_, k) => lnGamma(k + 1));
}

/** The maximum of a smooth function: on a grid that is finer towards the ends, where rates spread less, then near its best point. */
function highest(least: number, most: number, n: number, chance: (x: number) => number): number {
  const steps = 10 + Math.ceil(2 * Math.sqrt(n) * Math.sqrt(most - least));
  const at = (i: number) => least + (most - least) * Math.sin((i * Math.PI) / (2 * steps)) ** 2;
  let best = 0;
  let top = chance(at(0));
  for (let i = 1; i <= steps; i++) {
    const value = chance(at(i));
    if (value > top) [best, top] = [i, value];
  }
  for (let width = 0.5; width > 0.06; width /= 2) {
    for (const near of [best - width, best + width]) {
      if (near < 0 || near > steps) continue;
      const value = chance(at(near));
      if (value > top) [best, top] = [near, value];
    }
  }
  return Math.min(1, top + RULED_OUT);
}
