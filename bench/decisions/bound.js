// How few tasks any rule can decide with, without history. `node bench/decisions/bound.js [PAIRS PER BAND] [MATRIX.csv]`
//
// Take a pair with W wins and L losses among N tasks in random order, and tell the rule both numbers. It must not claim
// "greater" with a chance above α/2 where wins and losses are equal and as many tasks differ (a pair without a difference
// has two signs to be claimed falsely, so on average over both each has α/2). Of all such rules, the one with the fewest
// tasks on average is an optimal stopping problem: for a price λ on false claims, backwards over (t, wins, losses), stop or
// draw one more. Its value minus λ α/2 is a lower bound for every λ (weak duality), so for every rule that isn't told.
//
// Wald's sequential test is told both numbers, too, and for which sign to look: with the likelihood ratio of these numbers against even
// ones, and its threshold set by simulation so that its error is α/2.
//
// The last column bounds every rule with history, however good: one that is told all outcomes, and which arm is better, and picks
// the tasks. As many tasks as the arms differ by may be losses after all, at random among those that are none: then there
// is no difference, and the rule must find one of them with a chance of 1 − α.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/measure.js";

const ALPHA = 0.05;
const SIGN_ALPHA = ALPHA / 2;
const BANDS = [
  [20, 101],
  [10, 20],
  [6, 10],
  [3, 6],
];
const STEPS = 22;
/** Of Wald's test: orders that set its threshold, and orders that are decided. */
const NULL_ORDERS = 4000;
const ORDERS = 100;

/** Whole numbers below a limit, the same on every machine. G. Marsaglia, J. Stat. Softw. 8 (2003), 14. */
class Xorshift {
  constructor(seed) {
    this.state = (seed * 2654435761) >>> 0 || 1;
  }

  below(limit) {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (((this.state >>> 0) * limit) / 2 ** 32) | 0;
  }
}

const [, , count = "8", path = join(root, "../shared/data/outcomes/swebench-verified-67-agents.csv")] =
  process.argv;
const agents = readFileSync(path, "utf8")
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => line.split(",").slice(1).map(Number));
const size = agents[0].length;
for (const [from, to] of BANDS) {
  const pairs = pairsBetween(from, to);
  const some = Array.from({ length: Number(count) }, (_, k) => {
    const [wins, losses] = pairs[Math.floor(((k + 0.5) * pairs.length) / Number(count))];
    return fewestTasks(wins, losses);
  });
  const mean = some.reduce((sum, tasks) => sum + tasks, 0) / some.length;
  const walds = pairs.reduce((sum, pair, k) => sum + waldTasks(pair, k), 0) / pairs.length;
  const told = pairs.reduce((sum, pair) => sum + fewestChecks(pair), 0) / pairs.length;
  console.log(
    `${from} to ${to} points: at least ${mean.toFixed(1)} tasks (${some.length} of ${pairs.length} pairs); Wald's test ${walds.toFixed(1)}; told all outcomes, ${told.toFixed(1)}`,
  );
}

/** Wins and losses of the pairs of a band, by how lopsided they are. */
function pairsBetween(from, to) {
  const pairs = [];
  for (let i = 0; i < agents.length; i++)
    for (let j = 0; j < i; j++) {
      let [wins, losses] = [0, 0];
      for (let k = 0; k < size; k++) {
        if (agents[i][k] > agents[j][k]) wins++;
        else if (agents[i][k] < agents[j][k]) losses++;
      }
      const points = (100 * Math.abs(wins - losses)) / size;
      if (points >= from && points < to) pairs.push([Math.max(wins, losses), Math.min(wins, losses)]);
    }
  return pairs.sort(([a, b], [c, d]) => (a - b) / (a + b) - (c - d) / (c + d));
}

function fewestChecks([wins, losses]) {
  const [changed, among] = [wins - losses, size - losses];
  let missed = 1;
  for (let checks = 0; ; checks++) {
    const next = (missed * (among - checks - changed)) / (among - checks);
    // Stopping by chance after this check or the next one may have an error of exactly α.
    if (next <= ALPHA) return checks + (missed - ALPHA) / (missed - next);
    missed = next;
  }
}

/** The mean over random orders of the pair's outcomes of the tasks that Wald's test takes. */
function waldTasks([wins, losses], pair) {
  const next = new Xorshift(pair + 1);
  const [ratios] = likelihoodRatios(wins, losses);
  const half = Math.ceil((wins + losses) / 2);
  // Where there is no difference, the ratio changes with wins and losses only, whichever tasks these are.
  const highest = Float64Array.from({ length: NULL_ORDERS }, () => {
    let [w, l, most] = [0, 0, 1];
    while (w + l < 2 * half) {
      if (next.below(2 * half - w - l) < half - w) w++;
      else l++;
      if (w > wins || l > losses) break;
      most = Math.max(most, 1 / ratios[w][l]);
    }
    return most;
  }).sort();
  const bar = highest[Math.ceil((1 - SIGN_ALPHA) * NULL_ORDERS)];
  let tasks = 0;
  for (let order = 0; order < ORDERS; order++) {
    let [w, l, t] = [0, 0, 0];
    // A ratio that no order without a difference reaches is certain, as the last task is.
    while (t < size && 1 / ratios[w][l] <= bar) {
      const drawn = next.below(size - t++);
      if (drawn < wins - w) w++;
      else if (drawn < wins - w + losses - l) l++;
    }
    tasks += t;
  }
  return tasks / ORDERS;
}

function fewestTasks(wins, losses) {
  const [ratios, zeroRatios] = likelihoodRatios(wins, losses);
  let [low, high] = [Math.log(1e2), Math.log(1e7)];
  let best = 0;
  // The bound is concave in λ; it rises where one λ more or less does.
  for (let step = 0; step < STEPS; step++) {
    const third = (high - low) / 3;
    const [a, b] = [low + third, high - third].map((log) => boundAt(Math.exp(log)));
    best = Math.max(best, a, b);
    if (a < b) low += third;
    else high -= third;
  }
  return best;

  function boundAt(price) {
    const width = losses + 1;
    const zeros = size - wins - losses;
    let next = new Float64Array((wins + 1) * width);
    for (let t = size - 1; t >= 0; t--) {
      const here = new Float64Array((wins + 1) * width);
      const left = size - t;
      for (let w = Math.max(0, t - zeros - losses); w <= Math.min(wins, t); w++)
        for (let l = Math.max(0, t - w - zeros); l <= Math.min(losses, t - w); l++) {
          const z = t - w - l;
          let more = 1;
          if (w < wins) more += ((wins - w) / left) * next[(w + 1) * width + l];
          if (l < losses) more += ((losses - l) / left) * next[w * width + l + 1];
          if (z < zeros) more += ((zeros - z) / left) * next[w * width + l];
          here[w * width + l] = Math.min(price * ratios[w][l] * zeroRatios[z], more);
        }
      next = here;
    }
    return next[0] - price * SIGN_ALPHA;
  }
}

/** How much likelier w wins and l losses are without a difference; and z ties, where a tie less makes the numbers even. */
function likelihoodRatios(wins, losses) {
  const half = Math.ceil((wins + losses) / 2);
  const zeros = size - wins - losses;
  const falling = (from, to, n) => {
    const out = [1];
    for (let k = 0; k < n; k++) out.push((out[k] * Math.max(0, from - k)) / (to - k));
    return out;
  };
  const [w, l] = [falling(half, wins, wins), falling(half, losses, losses)];
  return [w.map((a) => l.map((b) => a * b)), falling(size - 2 * half, zeros, zeros)];
}
