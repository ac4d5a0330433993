import { requireFraction } from "../options.ts";
import type { Bet } from "./bet.ts";

/** By how many standard deviations the gamblers take the differences to be shifted. */
const SHIFTS = [0.1, 0.25, 0.5, 1, 2];

export interface ShiftBetOptions {
  /** What is refuted: that the values are symmetric about `claim`, or lie lower. 0 unless told. */
  claim?: number;
  /** The chance of ever refuting a claim that is true. */
  alpha: number;
}

/**
 * Refutes "the values are symmetric about the claim, or lie lower" at any moment and after any number of looks, for
 * values without bounds: differences of paired runs, or of runs that were matched at random, are symmetric about 0
 * where the arms don't differ, whatever their distribution. Given its size, each difference is then + or − by a fair
 * coin, so a stake may depend on that size: capital × (1 + tanh(λ d)). It is a sign-flip test that may be looked at
 * after every run; a mixture over λ takes the place of knowing the shift.
 * Source: A. Ramdas, J. Ruf, M. Larsson, W. Koolen, "Admissible anytime-valid sequential inference must rely on
 * nonnegative martingales", arXiv:2009.03167, section 5.2 (symmetric distributions; B. Efron, JASA 64 (1969), 1278).
 * O(1) per value.
 */
export class ShiftBet implements Bet {
  capital = 1;
  most = 1;
  private readonly bar: number;
  private readonly claim: number;
  private readonly shares = new Float64Array(SHIFTS.length).fill(1 / SHIFTS.length);
  private squares = 0;
  private n = 0;

  constructor({ claim = 0, alpha }: ShiftBetOptions) {
    this.bar = 1 / requireFraction(alpha, "alpha");
    this.claim = claim;
  }

  get isRefuted(): boolean {
    return this.most >= this.bar;
  }

  add(x: number): void {
    const d = x - this.claim;
    this.n++;
    // The size of d may be known before its sign is: it may set the scale.
    this.squares += d * d;
    if (this.squares === 0) return;
    const sd = Math.sqrt(this.squares / this.n);
    let capital = 0;
    for (let k = 0; k < SHIFTS.length; k++) {
      this.shares[k]! *= 1 + Math.tanh((SHIFTS[k]! * d) / sd);
      capital += this.shares[k]!;
    }
    this.capital = capital;
    if (capital > this.most) this.most = capital;
  }
}
