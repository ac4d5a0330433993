import type { Usage } from "../../core/trajectory.ts";
import type { ModelAnswer } from "../../models/model.ts";

export type Payer = "agent" | "summary" | "retry";

/** What calls for one purpose came to. */
export interface Amount extends Usage {
  calls: number;
  /** Null once one call's price was unknown. */
  costUsd: number | null;
}

/** One instance's accounts: the summariser's stays apart also where its model is the agent's. */
export class Ledger {
  readonly accounts: Record<Payer, Amount> = { agent: nothing(), summary: nothing(), retry: nothing() };
  modelMs = 0;
  toolMs = 0;

  add(payer: Payer, { usage, costUsd, wallMs }: Pick<ModelAnswer, "usage" | "costUsd" | "wallMs">): void {
    addAmount(this.accounts[payer], { ...usage, calls: 1, costUsd });
    this.modelMs += wallMs;
  }

  /** What a call cost that gave no answer. */
  addLost(payer: Payer, costUsd: number): void {
    const account = this.accounts[payer];
    account.calls++;
    if (account.costUsd !== null) account.costUsd += costUsd;
  }

  get total(): Amount {
    const total = nothing();
    for (const account of Object.values(this.accounts)) addAmount(total, account);
    return total;
  }
}

export function nothing(): Amount {
  return { calls: 0, costUsd: 0, input: 0, cached: 0, output: 0, reasoning: 0 };
}

export function addAmount(to: Amount, amount: Amount): void {
  for (const name of ["calls", "input", "cached", "output", "reasoning"] as const) to[name] += amount[name];
  to.costUsd = to.costUsd === null || amount.costUsd === null ? null : to.costUsd + amount.costUsd;
}

/** The share of the prompt that the provider had kept; unknown before the first prompt. */
export function cacheHitRate({ input, cached }: Pick<Usage, "input" | "cached">): number | null {
  return input + cached === 0 ? null : cached / (input + cached);
}
