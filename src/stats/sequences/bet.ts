/** A game against a claim about the values to come. */
export interface Bet {
  /** What 1 has become. If the claim is true, no strategy can expect to win. */
  readonly capital: number;
  /** The largest capital so far; its inverse is a p-value that stays valid however often one looks. */
  readonly most: number;
  /** Whether the capital ever reached 1/α: has a chance of at most α if the claim is true. */
  readonly isRefuted: boolean;
  add(x: number, draw?: Draw): void;
}

/** How a value was drawn from those that were left. */
export interface Draw {
  /** The even chance divided by the chance that it was drawn with. */
  odds: number;
  /** The smallest and the largest odds of all that could have been drawn. */
  leastOdds: number;
  mostOdds: number;
  /** How many of those that are left may differ from 0, where earlier outcomes tell; all of them otherwise. */
  differing?: number;
}

/** All that were left had the same chance. */
export const EVEN: Draw = { odds: 1, leastOdds: 1, mostOdds: 1 };
