import type { RandomStream } from "../../core/random.ts";
import { agentAbility, solveChance, type WeightedDraw, WeightedOrder } from "../../stats/index.ts";

/** After so many tasks, and then whenever there are twice as many, the order of those left follows what was seen. */
const FIRST_DRAWS = 8;
/** No task is drawn more seldom than this share of the mean: a loss may hide in one that everybody solved before. */
const LEAST_WEIGHT = 0.35;
/** A bet can risk no more than the rarest task allows, so the more is staked, the more alike are the chances. */
const WEIGHT_PER_STAKE = 1.4;

/** Two arms whose duel is open: what each made of the tasks so far, 0 to 1, and null where it has no value. */
export interface OpenPair {
  values: readonly [readonly (number | null)[], readonly (number | null)[]];
  /** See `Duel.wantedStake`. */
  wantedStake: number;
}

/**
 * In which order tasks come where earlier agents' outcomes say how easy each is: two arms differ most often on tasks that
 * agents of their ability solve half of the time, so such tasks are drawn with a greater chance, and count for less. The
 * abilities are learned as the study goes. The best chances for a mean are as the standard deviation of what is drawn:
 * J. Neyman, J. R. Stat. Soc. 97 (1934), 558-625.
 */
export class TaskOrder {
  readonly draws: WeightedDraw[] = [];
  private readonly order: WeightedOrder;

  constructor(
    private readonly easiness: readonly number[],
    stream: RandomStream,
  ) {
    this.order = new WeightedOrder(easiness.length, stream);
    this.extend([{ values: [[], []], wantedStake: 1 }]);
  }

  /** Draws further tasks by what the arms made of those that were drawn, in the order of the draws. */
  extend(pairs: readonly OpenPair[]): void {
    const { order, draws, easiness } = this;
    const seen = draws.map(({ index }) => easiness[index]!);
    const abilities = pairs.map(
      ({ values }) => values.map((own) => abilityOf(own, seen)) as [number, number],
    );
    const spreads = new Float64Array(easiness.length);
    let sum = 0;
    for (const index of order.left) {
      for (const [a, b] of abilities) {
        const [p, q] = [solveChance(a, easiness[index]!), solveChance(b, easiness[index]!)];
        spreads[index]! += Math.sqrt(p * (1 - q) + q * (1 - p));
      }
      sum += spreads[index]!;
    }
    const stake = pairs.reduce((total, { wantedStake }) => total + wantedStake, 0) / pairs.length;
    const share = Math.min(1, Math.max(LEAST_WEIGHT, WEIGHT_PER_STAKE * stake));
    const least = (share * sum) / order.left.length;
    order.weigh((index) => Math.max(spreads[index]!, least));
    const end = draws.length === 0 ? FIRST_DRAWS : 2 * draws.length;
    while (draws.length < end && order.left.length > 0) draws.push(order.draw());
  }
}

function abilityOf(values: readonly (number | null)[], easiness: readonly number[]): number {
  const tried = [...values.keys()].filter((i) => values[i] !== null);
  return agentAbility(
    tried.map((i) => values[i]!),
    tried.map((i) => easiness[i]!),
  );
}
