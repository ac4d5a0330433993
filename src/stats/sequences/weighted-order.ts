import type { RandomStream } from "../../core/random.ts";
import type { Draw } from "./bet.ts";

/** A draw, and how its value must count so that the draws stand for the whole set. */
export interface WeightedDraw extends Draw {
  index: number;
}

/**
 * Draws items one after the other, each from those left with a chance proportional to its weight; with what a bet on the
 * mean needs to stay fair (`MeanBet.add`). Weights may change between draws, by whatever was seen so far. Source:
 * inverse-probability weights for draws without replacement, D. Raj, JASA 51 (1956), 269-284. Drawn by rejection: O(1).
 */
export class WeightedOrder {
  readonly left: number[];
  private readonly weights: Float64Array;
  private readonly next: () => number;
  private total: number;
  /** Of what was left when the weights were set; what is left now lies between them. */
  private least = 1;
  private most = 1;

  constructor(size: number, stream: RandomStream) {
    this.left = Array.from({ length: size }, (_, index) => index);
    this.weights = new Float64Array(size).fill(1);
    this.total = size;
    this.next = stream.sequence();
  }

  /** Sets the weights of what is left: above 0. */
  weigh(weightOf: (index: number) => number): void {
    const { left, weights } = this;
    this.total = 0;
    this.least = Number.POSITIVE_INFINITY;
    this.most = 0;
    for (const index of left) {
      const weight = weightOf(index);
      weights[index] = weight;
      this.total += weight;
      this.least = Math.min(this.least, weight);
      this.most = Math.max(this.most, weight);
    }
  }

  draw(): WeightedDraw {
    const { left, weights, next, least, most } = this;
    let at = Math.floor(next() * left.length);
    while (next() * most > weights[left[at]!]!) at = Math.floor(next() * left.length);
    const index = left[at]!;
    const weight = weights[index]!;
    const even = this.total / left.length;
    left[at] = left.at(-1)!;
    left.pop();
    this.total -= weight;
    return { index, odds: even / weight, leastOdds: even / most, mostOdds: even / least };
  }
}
