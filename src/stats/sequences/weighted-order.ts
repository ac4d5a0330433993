import type { RandomStream } from "../../core/random.ts";
import type { Draw } from "./bet.ts";

/** A draw, and how its value must count so that the draws stand for the whole set. */
export interface WeightedDraw extends Draw {
  index: number;
}

/**
 * All items in a random order, each drawn from those left with a chance proportional to its weight; with what a bet on
 * the mean needs to stay fair (`MeanBet.add`). Source: inverse-probability weights for draws without replacement, D. Raj,
 * JASA 51 (1956), 269-284. O(n²).
 */
export function weightedOrder(weights: readonly number[], stream: RandomStream): WeightedDraw[] {
  const next = stream.sequence();
  const left = weights.map((_, index) => index);
  const draws: WeightedDraw[] = [];
  while (left.length > 0) {
    let total = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (const index of left) {
      total += weights[index]!;
      least = Math.min(least, weights[index]!);
      most = Math.max(most, weights[index]!);
    }
    let rest = next() * total;
    let at = 0;
    while (at < left.length - 1 && rest >= weights[left[at]!]!) rest -= weights[left[at++]!]!;
    const index = left[at]!;
    const even = total / left.length;
    draws.push({ index, odds: even / weights[index]!, leastOdds: even / most, mostOdds: even / least });
    left[at] = left.at(-1)!;
    left.pop();
  }
  return draws;
}
