import { plural } from "../core/number-text.ts";
import { tokensOf } from "../core/trajectory.ts";
import { systemClock } from "../host/clock.ts";
import { Budget } from "../models/gate/budget.ts";
import type { Ticket } from "../models/gate/gate.ts";
import { LocalGate } from "../models/gate/local-gate.ts";
import { ModelError } from "../models/model.ts";
import type { GatewayCall } from "./call.ts";

/** What one run may take of its models; 0 or absent is no limit. */
export interface RunLimits {
  calls?: number;
  tokens?: number;
  costUsd?: number;
}

/** A run has used up what it may take itself, whatever the study has left. */
export class RunLimitReached extends ModelError {
  constructor(text: string) {
    super("budget", text);
  }
}

/**
 * Holds a run to its limits. A call reserves the most that it can cost; tokens are known once it has ended, so the call
 * that passes their limit is the last.
 */
export class LimitKeeper {
  readonly #limits: RunLimits;
  readonly #gate: LocalGate | undefined;
  #calls = 0;
  #tokens = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
    this.#gate = limits.costUsd
      ? new LocalGate(systemClock, new Budget(limits.costUsd, { whose: "the" }))
      : undefined;
  }

  async admit(worstUsd: number | null, signal: AbortSignal): Promise<Ticket | undefined> {
    const { calls = 0, tokens = 0 } = this.#limits;
    if (calls > 0 && this.#calls >= calls)
      throw new RunLimitReached(`the limit of ${plural(calls, "call")} is reached`);
    if (tokens > 0 && this.#tokens >= tokens)
      throw new RunLimitReached(`the limit of ${tokens} tokens is reached: ${this.#tokens} are used`);
    this.#calls++;
    try {
      return await this.#gate?.admit({ provider: "", worstUsd, signal });
    } catch (error) {
      this.#calls--;
      throw error instanceof ModelError ? new RunLimitReached(error.message) : error;
    }
  }

  note({ usage }: GatewayCall): void {
    if (usage) this.#tokens += tokensOf(usage);
  }
}
