import { UserError } from "../../core/errors.ts";
import { ModelError } from "../model.ts";

/**
 * The money of a whole study. A call reserves the most that it can cost before it starts and gives back what it did
 * not need, so that what is spent never passes the limit, however many calls are under way.
 */
export class Budget {
  readonly limitUsd: number | null;
  spentUsd: number;
  inFlightUsd = 0;
  readonly #onLost: (costUsd: number) => void;

  /** `onLost` hears of calls that may have been billed and gave no answer: no run's record will tell of them. */
  constructor(limitUsd: number | null, spentUsd = 0, onLost: (costUsd: number) => void = () => {}) {
    this.limitUsd = limitUsd;
    this.spentUsd = spentUsd;
    this.#onLost = onLost;
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
        `the study's budget of $${this.limitUsd} has no room for another call: $${round(this.spentUsd)} are spent, and the call may cost $${round(worstUsd)}`,
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
  return Number(usd.toPrecision(4));
}
