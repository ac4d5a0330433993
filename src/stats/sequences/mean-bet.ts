import { requireFraction } from "../options.ts";
import { type Bet, type Draw, EVEN } from "./bet.ts";

/**
 * How much of the capital the gamblers stake on an even game, and their first shares of it. The stake is what suits a
 * mean of that many times the mean square: for wins and losses, (wins − losses) / (wins + losses).
 */
const STAKES = [0.25, 0.4, 0.6, 0.9];
const SHARES = [0.23, 0.24, 0.3, 0.23];
/** No gambler ever risks all. */
const MOST_AT_RISK = 0.99;
/** The mean square before any value is known, and for how many values this guess counts. */
const GUESS = 0.25;
const GUESS_WEIGHT = 10;

export interface MeanBetOptions {
  /** What is refuted: that the mean is `claim` or less. 0 unless told. */
  claim?: number;
  /** Values in all, drawn from without replacement in random order; Infinity, the default: independent draws. */
  size?: number;
  /** The chance of ever refuting a claim that is true. */
  alpha: number;
}

/**
 * Refutes "the mean of values between −1 and 1 is at most the claim" by betting against it, at any moment and after any
 * number of looks. Four gamblers bet that the mean is greater by little, somewhat, much and very much; what they own
 * together is a martingale if the mean is the claim, and falls if it is less, so it ever reaches 1/α with a probability
 * of at most α (Ville). Three things save values:
 * - of a finite set, what was seen tells what is left: under the claim the next value's mean is what remains of the
 *   total, and a claim that the rest can't make true any more is refuted for certain;
 * - the stakes suit paired 0/1 outcomes, where only pairs that differ count;
 * - no bet wins more than is needed to reach 1/α, since what lies above is wasted.
 * Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024),
 * 1-27, sections 4 and 5 (without replacement: (34)); mixtures of bets: the same, appendix B.8. O(1) per value.
 */
export class MeanBet implements Bet {
  capital = 1;
  /** The largest capital so far. */
  most = 1;
  /** What the gamblers wanted to stake at the last value, if there were no limit to what may be lost; by what each owns. */
  wantedStake = 1;
  private readonly bar: number;
  private readonly claim: number;
  private readonly size: number;
  private readonly shares = Float64Array.from(SHARES);
  private readonly stakes = new Float64Array(STAKES.length);
  private n = 0;
  private sum = 0;
  private squares = GUESS * GUESS_WEIGHT;

  constructor({ claim = 0, size = Number.POSITIVE_INFINITY, alpha }: MeanBetOptions) {
    this.bar = 1 / requireFraction(alpha, "alpha");
    this.claim = claim;
    this.size = size;
  }

  get isRefuted(): boolean {
    return this.most >= this.bar;
  }

  /**
   * Takes the next value. One that was drawn with a chance of 1/odds times the even one counts `odds` times, which keeps
   * the game fair.
   */
  add(x: number, draw: Draw = EVEN): void {
    const { odds } = draw;
    const isSet = this.size !== Number.POSITIVE_INFINITY;
    const left = isSet ? this.size - this.n : 1;
    const mean = isSet ? (this.claim * this.size - this.sum) / left : this.claim;
    if (!this.isRefuted && mean > -1 && mean < 1) this.play(x * odds, mean, draw);
    this.n++;
    this.sum += x;
    this.squares += (odds * (x - this.claim)) ** 2;
    if (isSet && this.sum - this.claim * this.size > this.size - this.n + 1e-9) this.win();
    if (this.capital > this.most) this.most = this.capital;
  }

  /** `mean` is what the value's mean would be at most if the claim were true. */
  private play(value: number, mean: number, { leastOdds, mostOdds }: Draw): void {
    const { shares, stakes } = this;
    const square = this.squares / (this.n + GUESS_WEIGHT);
    const risk = MOST_AT_RISK / (mostOdds + mean);
    let staked = 0;
    let wanted = 0;
    for (let k = 0; k < stakes.length; k++) {
      const hoped = this.hopedMean(STAKES[k]! * square);
      const spread = Math.max(square, Math.abs(hoped)) - 2 * mean * hoped + mean * mean;
      const best = Math.max(0, (hoped - mean) / Math.max(spread, 1e-3));
      stakes[k] = Math.min(risk, best);
      staked += stakes[k]! * shares[k]!;
      wanted += best * shares[k]!;
    }
    this.wantedStake = wanted / this.capital;
    // The same whichever value is drawn, or the game would not be fair.
    const prize = staked * (leastOdds - mean);
    const scale = prize > 0 && this.capital + prize > this.bar ? (this.bar - this.capital) / prize : 1;
    let capital = 0;
    for (let k = 0; k < stakes.length; k++) {
      shares[k]! *= 1 + scale * stakes[k]! * (value - mean);
      capital += shares[k]!;
    }
    // The last step up to the bar is computed by a division: what is there but for rounding is there.
    this.capital = capital >= this.bar * (1 - 1e-12) ? Math.max(capital, this.bar) : capital;
  }

  /** What a gambler takes the next value's mean for, who hopes that all values exceed the claim by `excess` on average. */
  private hopedMean(excess: number): number {
    if (this.size === Number.POSITIVE_INFINITY) return this.claim + excess;
    return ((this.claim + excess) * this.size - this.sum) / (this.size - this.n);
  }

  private win(): void {
    this.capital = Number.POSITIVE_INFINITY;
  }
}
