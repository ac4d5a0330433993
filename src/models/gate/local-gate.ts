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
  /** Pauses that somebody waits to see end: each has a timer, which keeps the process alive. */
  readonly #awaited = new Map<AdaptiveLimit, AbortController>();

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
    this.#admitWaiting();
    for (const [limit, timer] of this.#awaited)
      if (!this.#isAwaited(limit)) {
        this.#awaited.delete(limit);
        timer.abort();
      }
    for (const limit of this.#limits.values())
      if (this.#isPaused(limit) && !this.#awaited.has(limit) && this.#isAwaited(limit))
        void this.#resume(limit);
  }

  #isPaused(limit: AdaptiveLimit): boolean {
    return limit.pausedUntilMs > this.#clock.now();
  }

  #isAwaited(limit: AdaptiveLimit): boolean {
    return this.#waiting.some(({ call }) => this.limitOf(call.provider) === limit);
  }

  #admitWaiting(): void {
    const held = new Set<string>();
    for (const waiter of [...this.#waiting]) {
      // Of hundreds that wait for one provider the first one tells enough.
      if (held.size > 0 && held.size === this.#limits.size) return;
      const { provider, worstUsd } = waiter.call;
      if (held.has(provider)) continue;
      const limit = this.limitOf(provider);
      if (!limit.hasRoom || this.#isPaused(limit)) {
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
    let isAccepted = false;
    const accept = () => {
      if (isAccepted || !isOpen) return;
      isAccepted = true;
      limit.accept();
      this.#pump();
    };
    return {
      accept,
      settle: ({ costUsd, result, pauseMs = 0 }: CallReport) => {
        if (!isOpen) return;
        if (result === "ok") accept();
        isOpen = false;
        this.budget.settle(reservedUsd, costUsd);
        limit.end(era, result === "limited");
        if (pauseMs > 0) limit.pausedUntilMs = Math.max(limit.pausedUntilMs, this.#clock.now() + pauseMs);
        this.#pump();
      },
    };
  }

  /** A timer may fire a little before its time: whoever waits would not be looked at again. */
  async #resume(limit: AdaptiveLimit): Promise<void> {
    const timer = new AbortController();
    this.#awaited.set(limit, timer);
    while (this.#isPaused(limit) && !timer.signal.aborted)
      await this.#clock.sleep(limit.pausedUntilMs - this.#clock.now(), timer.signal);
    if (timer.signal.aborted) return;
    this.#awaited.delete(limit);
    this.#pump();
  }
}
