import type { RandomStream } from "../../core/random.ts";
import { type WeightedDraw, WeightedOrder } from "../sequences/weighted-order.ts";
import type { Duel } from "./duel.ts";
import { Outlook, type PairValues } from "./outlook.ts";

/** After so many tasks, and then whenever there are twice as many, the order of those left follows what was seen. */
const FIRST_DRAWS = 8;
/** No task is drawn more seldom than this share of the mean: a loss may hide in one that everybody solved before. */
const LEAST_WEIGHT = 0.35;
/** A bet can risk no more than the rarest task allows, so the more is staked, the more alike are the chances. */
const WEIGHT_PER_STAKE = 1.4;
/** The same where arms are counted on to be like earlier agents, and a tally does not mind. */
const LEAST_WEIGHT_ALIKE = 0.1;

/** A duel that is open, and what its arms made of the tasks so far, in the order of the draws. */
export interface OpenPair {
  values: PairValues;
  duel: Pick<Duel, "outlook" | "wantedStake">;
}

/**
 * In which order tasks come where earlier agents' outcomes say how easy each is: two arms differ most often on tasks that
 * agents of their ability solve half of the time, so such tasks are drawn with a greater chance. The abilities are learned as
 * the study goes. The best chances for a mean are as the standard deviation of what is drawn: J. Neyman, J. R. Stat. Soc. 97
 * (1934), 558-625. A tally of wins and losses may prefer such tasks more.
 */
export class TaskOrder {
  readonly draws: WeightedDraw[] = [];
  private readonly order: WeightedOrder;

  constructor(
    private readonly easiness: readonly number[],
    stream: Pick<RandomStream, "sequence">,
  ) {
    this.order = new WeightedOrder(easiness.length, stream);
  }

  /** Draws further tasks by what the arms made of those that were drawn. */
  extend(pairs: readonly OpenPair[]): void {
    const { order, draws, easiness } = this;
    const { left } = order;
    const isAlike = pairs.every(({ duel }) => duel.outlook);
    const wanted = new Float64Array(easiness.length);
    let sum = 0;
    for (const { values, duel } of pairs) {
      const outlook = duel.outlook ?? new Outlook(easiness);
      outlook.learn(values, draws);
      for (const index of left) {
        const chance = outlook.chances[index]!;
        const weight = isAlike ? (chance * chance) ** 2 : Math.sqrt(chance);
        wanted[index]! += weight;
        sum += weight;
      }
    }
    const least = ((isAlike ? LEAST_WEIGHT_ALIKE : leastShare(pairs)) * sum) / left.length;
    order.weigh((index) => Math.max(wanted[index]!, least));
    const end = Math.min(easiness.length, draws.length === 0 ? FIRST_DRAWS : 2 * draws.length);
    while (draws.length < end) draws.push(order.draw());
  }
}

function leastShare(pairs: readonly OpenPair[]): number {
  const stake = pairs.reduce((total, { duel }) => total + duel.wantedStake, 0) / pairs.length;
  return Math.min(1, Math.max(LEAST_WEIGHT, WEIGHT_PER_STAKE * stake));
}

/** What each of two arms made of every task of a set. */
export type Pair = readonly [one: number[], other: number[]];

/** Plays a duel through the set, or until it is decided. */
export function playDuel(duel: Duel, order: TaskOrder, [one, other]: Pair): void {
  const values: Pair = [[], []];
  for (let n = 0; n < one.length && duel.verdict === null; n++) {
    if (n === order.draws.length) order.extend([{ values, duel }]);
    const draw = order.draws[n]!;
    values[0].push(one[draw.index]!);
    values[1].push(other[draw.index]!);
    duel.add(one[draw.index]! - other[draw.index]!, draw);
  }
}
