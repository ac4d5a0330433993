import { requireFraction } from "../options.ts";
import { lnGamma } from "../special/gamma.ts";
import { type Bet, type Draw, EVEN } from "./bet.ts";

/** The gamblers expect so many more wins than losses than the claim allows, as a share of the tasks that differ. */
const EXPECTED = [0.25, 0.4, 0.6, 0.9];

export interface TallyBetOptions {
  /** What is refuted: that the mean is `claim` or less. 0 unless told. */
  claim?: number;
  /** Values in all. */
  size: number;
  /** The chance of ever refuting a claim that is true. */
  alpha: number;
  /** Likelihood ratios are taken to the power of 1/temper: above 1 where they are known to claim too much. */
  temper?: number;
}

/**
 * Refutes "the mean of the values of a set is at most the claim" by its wins and losses alone, given how many of the values
 * that are left may differ from 0 (`Draw.differing`). In whichever order the set is drawn, provided that a value's sign has
 * nothing to do with when it comes: then wins among those that differ are drawn as from an urn, and the likelihood ratio
 * of an urn with more of them is what a gambler owns. Four gamblers share the capital evenly.
 *
 * That proviso is Rasch's model: where two agents differ, the odds of which of them solves a task are the same for all tasks. It
 * buys what `MeanBet` can't have, a free choice of the order. Source: G. Rasch, "Probabilistic models for some intelligence and
 * attainment tests" (1960), chapter 10 (comparisons that don't depend on the items); A. Wald, "Sequential analysis" (1947).
 */
export class TallyBet implements Bet {
  capital = 1;
  most = 1;
  wins = 0;
  losses = 0;
  private readonly bar: number;
  private readonly total: number;
  private readonly size: number;
  private readonly temper: number;
  private n = 0;

  constructor({ claim = 0, size, alpha, temper = 1 }: TallyBetOptions) {
    this.bar = 1 / requireFraction(alpha, "alpha");
    this.total = claim * size;
    this.size = size;
    this.temper = temper;
  }

  get isRefuted(): boolean {
    return this.most >= this.bar;
  }

  add(x: number, { differing }: Draw = EVEN): void {
    this.n++;
    const left = this.size - this.n;
    if (x > 0) this.wins += x;
    else this.losses -= x;
    if (x !== 0) this.capital = Math.exp(this.logRatio(Math.min(left, differing ?? left)) / this.temper);
    if (this.wins - this.losses - this.total > left + 1e-9) this.capital = Number.POSITIVE_INFINITY;
    if (this.capital > this.most) this.most = this.capital;
  }

  /** How much likelier the tally is if there are more wins than the claim allows, by the gamblers' expectations. */
  private logRatio(differing: number): number {
    const { wins, losses, total } = this;
    // The claim needs so many to differ, whatever was expected.
    const urn = Math.max(wins + losses + differing, 2 * wins - total, 2 * losses + total);
    const claimed = this.logChance((urn + total) / 2, urn);
    let ratio = 0;
    for (const share of EXPECTED) {
      const expected = Math.min(urn, (urn + total + share * urn) / 2);
      ratio += Math.exp(this.logChance(expected, urn) - claimed) / EXPECTED.length;
    }
    return Math.log(ratio);
  }

  /** Of drawing these wins and losses, in their order, from an urn of which so many are wins. */
  private logChance(winsInUrn: number, urn: number): number {
    const [wins, losses] = [winsInUrn - this.wins, urn - winsInUrn - this.losses];
    if (wins < -1e-9 || losses < -1e-9) return Number.NEGATIVE_INFINITY;
    const ways = (all: number, rest: number) => lnGamma(all + 1) - lnGamma(Math.max(0, rest) + 1);
    return ways(winsInUrn, wins) + ways(urn - winsInUrn, losses);
  }
}
