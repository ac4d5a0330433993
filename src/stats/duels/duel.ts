import type { Result } from "../result.ts";
import { type Bet, type Draw, EVEN } from "../sequences/bet.ts";
import { type BetInterval, betInterval } from "../sequences/bet-interval.ts";
import { MeanBet } from "../sequences/mean-bet.ts";
import { ShiftBet } from "../sequences/shift-bet.ts";
import { TallyBet } from "../sequences/tally-bet.ts";
import type { WeightedDraw } from "../sequences/weighted-order.ts";
import { Outlook } from "./outlook.ts";

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
  /** Where the claims may count on the arms being like earlier agents, in a finite set of tasks and within bounds. */
  likeness?: Likeness | undefined;
}

/** What earlier agents' outcomes tell of arms that are like them. */
export interface Likeness {
  /** Of each task of the set. */
  easiness: readonly number[];
  /** See `TallyBet`. */
  temper: number;
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
  /** On which tasks the arms are likely to differ; null where nothing is counted on. */
  readonly outlook: Outlook | null;
  private readonly draws: Draw[] = [];
  private readonly greater: Bet;
  private readonly less: Bet;
  private readonly below: Bet | null;
  private readonly above: Bet | null;
  /** How many pairs differed, by how much. */
  private tally = 0;

  constructor(private readonly terms: DuelTerms) {
    const { alpha, margin, likeness } = terms;
    this.outlook = likeness ? new Outlook(likeness.easiness) : null;
    this.greater = this.against(0, alpha / 2);
    this.less = this.against(0, alpha / 2);
    this.below = margin === undefined ? null : this.against(-margin, alpha / 2);
    this.above = margin === undefined ? null : this.against(-margin, alpha / 2);
  }

  add(difference: number, drawn: Draw | WeightedDraw = EVEN): void {
    const d = difference / (this.terms.width ?? 1);
    this.differences.push(difference);
    this.tally += Math.abs(d);
    const draw = this.lookOut(drawn);
    this.draws.push(draw);
    if (this.verdict !== null) return;
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

  /** What the luckier gambler, of those that look for a difference, ever owned. */
  get mostCapital(): number {
    return Math.max(this.greater.most, this.less.most);
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
    const mean = this.outlook ? this.likelyMean(this.outlook) : this.weightedMean();
    return { ...interval, estimate: Math.max(interval.low, Math.min(interval.high, mean)) };
  }

  /** How many of the tasks that are left may differ, as it looks now: what a tally counts on. */
  private lookOut(draw: Draw | WeightedDraw): Draw {
    const { outlook, tally } = this;
    if (outlook === null || !("index" in draw)) return draw;
    outlook.take(draw.index);
    const { odds, leastOdds, mostOdds } = draw;
    return { odds, leastOdds, mostOdds, differing: outlook.most(tally) };
  }

  /** Of arms like earlier agents, what differs among the rest goes either way as often as before. */
  private likelyMean(outlook: Outlook): number {
    const { size } = this.terms;
    let sum = 0;
    for (const d of this.differences) sum += d;
    return this.tally === 0 ? 0 : (sum * (1 + outlook.expected(this.tally) / this.tally)) / size;
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
    const { width, size, likeness } = this.terms;
    if (width === undefined) return new ShiftBet({ claim, alpha });
    const terms = { claim: claim / width, alpha, size };
    return likeness ? new TallyBet({ ...terms, temper: likeness.temper }) : new MeanBet(terms);
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
