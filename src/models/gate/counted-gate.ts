import { plural } from "../../core/number-text.ts";
import { ModelError } from "../model.ts";
import type { CallTally } from "./call-tally.ts";
import type { Gate, GateCall, Ticket } from "./gate.ts";

/** What all runs of a study may take of their models together, beside dollars; 0 means no limit. */
export interface CountLimits {
  calls: number;
  tokens: number;
}

/**
 * Holds a study to its numbers of calls and tokens, before another gate lets calls through. Tokens are known once a call
 * has ended, so those that are under way then are the last.
 */
export class CountedGate implements Gate {
  readonly #gate: Gate;
  readonly #limits: CountLimits;
  readonly #tally: CallTally;

  constructor(gate: Gate, limits: CountLimits, tally: CallTally) {
    this.#gate = gate;
    this.#limits = limits;
    this.#tally = tally;
  }

  async admit(call: GateCall): Promise<Ticket> {
    this.#check();
    const ticket = await this.#gate.admit(call);
    try {
      // Others may have been let through while this one waited.
      this.#check();
    } catch (error) {
      ticket.settle({ costUsd: 0, result: "failed" });
      throw error;
    }
    this.#tally.note({ calls: 1 });
    return {
      ...ticket,
      settle: (report) => {
        if (report.tokens) this.#tally.note({ tokens: report.tokens });
        ticket.settle(report);
      },
    };
  }

  #check(): void {
    const reached = reachedLimit(this.#limits, this.#tally.read());
    if (reached !== undefined) throw new ModelError("budget", reached);
  }
}

/** In words; undefined where there is room for another call. */
export function reachedLimit(limits: CountLimits, used: CountLimits): string | undefined {
  if (limits.calls > 0 && used.calls >= limits.calls)
    return `the study's limit of ${plural(limits.calls, "call")} to models is reached`;
  if (limits.tokens > 0 && used.tokens >= limits.tokens)
    return `the study's limit of ${limits.tokens} tokens is reached: ${used.tokens} are used`;
  return undefined;
}
