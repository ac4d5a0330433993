import { RandomStream, shuffle } from "../../core/random.ts";
import { taskEasiness } from "../rasch.ts";
import { FastRandom } from "../resampling/fast-random.ts";
import { Duel, type Likeness } from "./duel.ts";
import { type Pair, playDuel, TaskOrder } from "./task-order.ts";

/** A row per agent, a column per task: 0 to 1, or null where it did not try. */
export type Outcomes = readonly (readonly (number | null)[])[];

/** Pairs of earlier agents that the rule is played on, those that differ least; and how many tell anything. */
const PAIRS = { most: 159, least: 39 };
/** On large sets there are fewer pairs, so that this takes seconds, and of many agents only some are looked at. */
const MOST_TASKS_PLAYED = 500_000;
const MOST_AGENTS = 300;
/** The share of them that may be told apart. */
const LEVEL = 0.05;
/** A rule that has to be tempered more counts on agents being alike that are not. */
const MOST_TEMPER = 2.5;
/** Of a duel that is never decided. */
const NO_ALPHA = 1e-300;

/**
 * How far one may count on arms being like earlier agents: the rule is played on pairs of these agents that are made even, and
 * tempered until it tells no more of them apart than it may. Undefined where they are too few, or too unlike each other.
 * That is a conformal quantile: V. Vovk, A. Gammerman and G. Shafer, "Algorithmic learning in a random world" (2005).
 */
export function likenessOf(outcomes: Outcomes, easiness = taskEasiness(outcomes)): Likeness | undefined {
  const count = Math.min(PAIRS.most, Math.max(PAIRS.least, Math.floor(MOST_TASKS_PLAYED / easiness.length)));
  const pairs = closestPairs(outcomes).slice(0, count);
  if (pairs.length < PAIRS.least) return undefined;
  const highest = pairs.map((pair) => highestCapital(evened(outcomes, pair), easiness)).sort((a, b) => b - a);
  const allowed = Math.floor(LEVEL * (pairs.length + 1));
  const temper = Math.max(1, Math.log(highest[allowed - 1]!) / Math.log(2 / LEVEL));
  return temper > MOST_TEMPER ? undefined : { easiness, temper };
}

interface ClosePair {
  agents: readonly [number, number];
  /** How much more the first one made of the tasks that both tried, on average. */
  difference: number;
}

function closestPairs(outcomes: Outcomes): ClosePair[] {
  const rows = outcomes.map((row) => Float64Array.from(row, (value) => value ?? Number.NaN));
  const pairs: ClosePair[] = [];
  const step = Math.ceil(rows.length / MOST_AGENTS);
  for (let i = 0; i < rows.length; i += step)
    for (let j = 0; j < i; j += step) {
      const one = rows[i]!;
      const other = rows[j]!;
      let [sum, count] = [0, 0];
      for (let task = 0; task < one.length; task++) {
        const difference = one[task]! - other[task]!;
        if (Number.isNaN(difference)) continue;
        sum += difference;
        count++;
      }
      if (count > 0) pairs.push({ agents: [i, j], difference: sum / count });
    }
  return pairs.sort((a, b) => Math.abs(a.difference) - Math.abs(b.difference));
}

/** A pair that does not differ. */
interface EvenPair {
  seed: number;
  /** What both tried, and what each made of it. */
  tasks: number[];
  values: Pair;
}

/** Of the tasks that the better one won, some at random become ties. */
function evened(outcomes: Outcomes, { agents: [i, j], difference }: ClosePair): EvenPair {
  const seed = i * outcomes.length + j;
  const [one, other] = [outcomes[i]!, outcomes[j]!];
  const tasks = [...one.keys()].filter((task) => one[task] !== null && other[task] !== null);
  const values: Pair = [tasks.map((task) => one[task]!), tasks.map((task) => other[task]!)];
  const [better, worse] = difference > 0 ? values : [values[1], values[0]];
  let excess = Math.abs(difference) * tasks.length;
  for (const k of shuffle([...tasks.keys()], new RandomStream(seed, "even pairs"))) {
    const won = Math.max(0, Math.min(excess, better[k]! - worse[k]!));
    better[k]! -= won;
    excess -= won;
  }
  return { seed, tasks, values };
}

/** The most that either gambler ever owns in a study of the two that is never decided. */
function highestCapital({ seed, tasks, values }: EvenPair, easiness: readonly number[]): number {
  const own = tasks.map((task) => easiness[task]!);
  const random = new FastRandom(seed, "likeness");
  const duel = new Duel({
    ...{ alpha: NO_ALPHA, size: tasks.length, width: 1 },
    likeness: { easiness: own, temper: 1 },
  });
  const order = new TaskOrder(own, { sequence: () => () => (random.bits() >>> 0) / 2 ** 32 });
  playDuel(duel, order, values);
  return duel.mostCapital;
}
