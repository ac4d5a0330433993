import type { Clock } from "../../core/clock.ts";
import { AdaptiveLimit } from "./adaptive-limit.ts";
import { Budget } from "./budget.ts";
import type { CallReport, Gate, GateCall, Ticket } from "./gate.ts";

interface Waiter {
  call: GateCall;
  admit(ticket: Ticket): void;
  refuse(error: unknown): void;
}

/** The gate itself: first come, first served for each provider. */
export class LocalGate implements Gate {
  readonly budget: Budget;
  readonly #clock: Clock;
  readonly #limits = new Map<string, AdaptiveLimit>();
  readonly #waiting: Waiter[] = [];

  constructor(clock: Clock, budget = new Budget(null)) {
    this.#clock = clock;
    this.budget = budget;
  }

  limitOf(provider: string): AdaptiveLimit {
    const limit = this.#limits.get(provider) ?? new AdaptiveLimit();
    this.#limits.set(provider, limit);
    return limit;
  }

  admit(call: GateCall): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      if (call.signal.aborted) return reject(call.signal.reason);
      const waiter: Waiter = {
        call,
        admit: (ticket) => {
          call.signal.removeEventListener("abort", leave);
          resolve(ticket);
        },
        refuse: (error) => {
          call.signal.removeEventListener("abort", leave);
          reject(error);
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        waiter.refuse(call.signal.reason);
        this.#pump();
      };
      call.signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiter);
      this.#pump();
    });
  }

  #pump(): void {
    const held = new Set<string>();
    for (const waiter of [...this.#waiting]) {
      const { provider, worstUsd } = waiter.call;
      if (held.has(provider)) continue;
      const limit = this.limitOf(provider);
      if (!limit.hasRoom || limit.pausedUntilMs > this.#clock.now()) {
        held.add(provider);
        continue;
      }
      let verdict: "now" | "later";
      try {
        verdict = this.budget.check(worstUsd);
      } catch (error) {
        this.#remove(waiter);
        waiter.refuse(error);
        continue;
      }
      // A cheaper call behind must not starve a dearer one, so the budget holds everybody.
      if (verdict === "later") return;
      this.#remove(waiter);
      waiter.admit(this.#open(waiter.call, limit));
    }
  }

  #remove(waiter: Waiter): void {
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
  }

  #open({ worstUsd }: GateCall, limit: AdaptiveLimit): Ticket {
    const era = limit.begin();
    const reservedUsd = worstUsd ?? 0;
    this.budget.reserve(reservedUsd);
    let isOpen = true;
    return {
      settle: ({ costUsd, result, pauseMs = 0 }: CallReport) => {
        if (!isOpen) return;
        isOpen = false;
        this.budget.settle(reservedUsd, costUsd);
        limit.end(era, result);
        if (pauseMs > 0) this.#pause(limit, pauseMs);
        this.#pump();
      },
    };
  }

  #pause(limit: AdaptiveLimit, pauseMs: number): void {
    limit.pausedUntilMs = Math.max(limit.pausedUntilMs, this.#clock.now() + pauseMs);
    void this.#resume(limit);
  }

  /** A timer may fire a little before its time: whoever waits would not be looked at again. */
  async #resume(limit: AdaptiveLimit): Promise<void> {
    const leftMs = () => limit.pausedUntilMs - this.#clock.now();
    while (leftMs() > 0) await this.#clock.sleep(leftMs());
    this.#pump();
  }
}
