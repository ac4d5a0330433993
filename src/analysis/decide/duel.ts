import {
  type Bet,
  type BetInterval,
  betInterval,
  type Draw,
  EVEN,
  MeanBet,
  type Result,
  ShiftBet,
} from "../../stats/index.ts";

/** What a duel is about, fixed before its first value. */
export interface DuelTerms {
  /** The chance of any false claim of this duel, however often one looks. */
  alpha: number;
  /** The largest difference that doesn't matter, in the metric's unit; none: arms are never called equal. */
  margin?: number | undefined;
  /** A difference of the margin or more is given up with a chance of at most 1 − power. */
  power?: number | undefined;
  /** How many pairs there are in all, if the claim is about them; Infinity if they stand for others. */
  size: number;
  /** The largest difference that can be; undefined where values have no bounds. */
  width?: number | undefined;
}

/** "futile": not worth more runs, since a difference of the margin would have shown. */
export type DuelVerdict = "greater" | "less" | "equal" | "futile";

/**
 * Two arms, pair by pair, until the sign of their mean difference is certain enough. Either sign has half of α; so have the
 * two halves of "equal", of which at most one can be wrong, and where one is, only one sign is left to be claimed falsely.
 */
export class Duel {
  readonly differences: number[] = [];
  verdict: DuelVerdict | null = null;
  /** After how many pairs it was decided. */
  decidedAt: number | null = null;
  private readonly draws: Draw[] = [];
  private readonly greater: Bet;
  private readonly less: Bet;
  private readonly below: Bet | null;
  private readonly above: Bet | null;

  constructor(private readonly terms: DuelTerms) {
    const { alpha, margin } = terms;
    this.greater = this.against(0, alpha / 2);
    this.less = this.against(0, alpha / 2);
    this.below = margin === undefined ? null : this.against(-margin, alpha / 2);
    this.above = margin === undefined ? null : this.against(-margin, alpha / 2);
  }

  add(difference: number, draw: Draw = EVEN): void {
    this.differences.push(difference);
    this.draws.push(draw);
    if (this.verdict !== null) return;
    const d = difference / (this.terms.width ?? 1);
    this.greater.add(d, draw);
    this.less.add(-d, draw);
    this.above?.add(d, draw);
    this.below?.add(-d, draw);
    this.verdict = this.judge();
    if (this.verdict !== null) this.decidedAt = this.differences.length;
  }

  /** What share of their capital the gamblers want to stake, by what they own; it is large where the arms differ clearly. */
  get wantedStake(): number {
    const bets = [this.greater, this.less].filter((bet) => bet instanceof MeanBet);
    const capital = bets.reduce((sum, bet) => sum + bet.capital, 0);
    return capital > 0 ? bets.reduce((sum, bet) => sum + bet.wantedStake * bet.capital, 0) / capital : 1;
  }

  /** Holds at every moment at once. In the metric's unit, for the mean; for the shift where there are no bounds. */
  interval(): Result<BetInterval> {
    const { alpha, width } = this.terms;
    let most = 0;
    for (const d of this.differences) most = Math.max(most, Math.abs(d));
    const end = width ?? 2 * most;
    const interval = betInterval(this.differences, {
      level: 1 - alpha,
      range: [-end, end],
      against: (claim, share) => this.scaled(claim, share),
      draws: this.draws,
    });
    if (!interval.known || this.draws.every(({ odds }) => odds === 1)) return interval;
    const estimate = Math.max(interval.low, Math.min(interval.high, this.weightedMean()));
    return { ...interval, estimate };
  }

  /**
   * Of draws with unequal chances, each says of the total: what was seen before, and the rest as it was weighted. Source:
   * D. Raj, JASA 51 (1956), 269-284.
   */
  private weightedMean(): number {
    const { size } = this.terms;
    let [seen, sum] = [0, 0];
    for (const [i, d] of this.differences.entries()) {
      sum += (seen + (size - i) * this.draws[i]!.odds * d) / size;
      seen += d;
    }
    return sum / this.differences.length;
  }

  private judge(): DuelVerdict | null {
    if (this.greater.isRefuted) return "greater";
    if (this.less.isRefuted) return "less";
    const { above, below, terms } = this;
    if (above === null || below === null) return null;
    if (above.isRefuted && below.isRefuted) return "equal";
    const isHopeless = terms.power !== undefined && Math.min(above.most, below.most) >= 1 / (1 - terms.power);
    return isHopeless ? "futile" : null;
  }

  /** `claim` in the metric's unit; the bet takes differences divided by the width. */
  private against(claim: number, alpha: number): Bet {
    const { width, size } = this.terms;
    return width === undefined
      ? new ShiftBet({ claim, alpha })
      : new MeanBet({ claim: claim / width, alpha, size });
  }

  private scaled(claim: number, alpha: number): Bet {
    const bet = this.against(claim, alpha);
    const width = this.terms.width ?? 1;
    return {
      get capital() {
        return bet.capital;
      },
      get most() {
        return bet.most;
      },
      get isRefuted() {
        return bet.isRefuted;
      },
      add: (x, draw) => bet.add(x / width, draw),
    };
  }
}
