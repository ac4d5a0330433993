import { Duel, type DuelTerms, type DuelVerdict } from "../../stats/duels/duel.ts";
import type { Draw, WeightedDraw } from "../../stats/index.ts";

export interface RaceTerms extends DuelTerms {
  arms: readonly string[];
  /** The arm that the others are compared with; null: every arm with every other one. */
  baseline: string | null;
  /** Which way is better; null: duels are told as greater or less, and no arm is put out. */
  goal: "minimize" | "maximize" | null;
}

/** One pair of arms, as it stands: `candidate` minus `against`. */
export interface RaceDuel {
  candidate: string;
  against: string;
  duel: Duel;
}

/**
 * Arms that are run round by round until it is known which is better. With a baseline an arm leaves when its duel is
 * decided, without one when another arm is surely better; who is left gets the runs. All duels share α evenly, so the
 * chance of even one false claim stays below it, whichever arms leave and whenever one looks.
 */
export class Race {
  readonly duels: RaceDuel[];
  rounds = 0;
  private readonly out = new Set<string>();

  constructor(private readonly terms: RaceTerms) {
    const { arms, baseline, alpha, margin, power, size, width, likeness } = terms;
    const pairs = arms.flatMap((candidate, i) =>
      baseline === null
        ? arms.slice(0, i).map((against) => ({ candidate, against }))
        : candidate === baseline
          ? []
          : [{ candidate, against: baseline }],
    );
    const each = { alpha: alpha / Math.max(1, pairs.length), margin, power, size, width, likeness };
    this.duels = pairs.map((pair) => ({ ...pair, duel: new Duel(each) }));
  }

  /** The arms that still get runs, in their own order. */
  get running(): string[] {
    if (this.isDecided) return [];
    return this.terms.arms.filter((arm) => !this.out.has(arm));
  }

  get isDecided(): boolean {
    return this.open.length === 0;
  }

  /** The duels that further rounds are for. */
  get open(): RaceDuel[] {
    return this.duels.filter(
      ({ candidate, against, duel }) => duel.verdict === null && !this.isOut(candidate, against),
    );
  }

  /** One value for each arm that was run, null for one that has none: its pairs of this round are left out. */
  add(values: ReadonlyMap<string, number | null>, draw?: Draw | WeightedDraw): void {
    this.rounds++;
    for (const { candidate, against, duel } of this.duels) {
      const a = values.get(candidate) ?? null;
      const b = values.get(against) ?? null;
      if (a === null || b === null) continue;
      const wasOpen = duel.verdict === null;
      duel.add(a - b, draw);
      if (wasOpen && duel.verdict !== null) this.leave(candidate, against, duel.verdict);
    }
  }

  private isOut(...arms: string[]): boolean {
    return arms.some((arm) => this.out.has(arm));
  }

  private leave(candidate: string, against: string, verdict: DuelVerdict): void {
    const { baseline, goal } = this.terms;
    if (baseline !== null) this.out.add(candidate);
    else if (goal !== null && (verdict === "greater" || verdict === "less"))
      this.out.add((verdict === "greater") === (goal === "maximize") ? against : candidate);
  }
}
