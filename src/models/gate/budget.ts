import { UserError } from "../../core/errors.ts";
import { rounded } from "../../core/number-text.ts";
import { ModelError } from "../model.ts";

interface BudgetOptions {
  spentUsd?: number;
  whose?: string;
  /** Hears of calls that may have been billed and gave no answer: no run's record will tell of them. */
  onLost?(costUsd: number): void;
}

/**
 * The money of a whole study, or of one run. A call reserves the most that it can cost before it starts and gives back what it did
 * not need, so that what is spent never passes the limit, however many calls are under way.
 */
export class Budget {
  /** May be changed while a study runs. */
  limitUsd: number | null;
  spentUsd: number;
  inFlightUsd = 0;
  readonly #whose: string;
  readonly #onLost: (costUsd: number) => void;

  constructor(limitUsd: number | null, { spentUsd = 0, whose = "the study's", onLost }: BudgetOptions = {}) {
    this.limitUsd = limitUsd;
    this.spentUsd = spentUsd;
    this.#whose = whose;
    this.#onLost = onLost ?? (() => {});
  }

  /** `later`: only calls under way stand against it, and what they give back may be enough. */
  check(worstUsd: number | null): "now" | "later" {
    if (this.limitUsd === null) return "now";
    if (worstUsd === null)
      throw new UserError("a call's price is unknown, so the cost limit can't be kept", {
        remedy: "Write the price into a price file, or leave out the limit.",
      });
    if (this.spentUsd + worstUsd > this.limitUsd)
      throw new ModelError(
        "budget",
        `${this.#whose} budget of $${this.limitUsd} has no room for another call: $${round(this.spentUsd)} are spent, and the call may cost $${round(worstUsd)}`,
      );
    return this.spentUsd + this.inFlightUsd + worstUsd > this.limitUsd ? "later" : "now";
  }

  reserve(worstUsd: number): void {
    this.inFlightUsd += worstUsd;
  }

  settle(worstUsd: number, costUsd: number | null): void {
    this.inFlightUsd = Math.max(0, this.inFlightUsd - worstUsd);
    this.spentUsd += costUsd ?? worstUsd;
    if (costUsd === null && worstUsd > 0) this.#onLost(worstUsd);
  }
}

function round(usd: number): number {
  return rounded(usd, 4);
}
