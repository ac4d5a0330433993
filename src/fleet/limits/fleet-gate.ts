import type { Clock } from "../../core/clock.ts";
import type { Limits } from "../../core/study.ts";
import { Budget } from "../../models/gate/budget.ts";
import { reachedLimit } from "../../models/gate/counted-gate.ts";
import type { Gate, GateCall, Ticket } from "../../models/gate/gate.ts";
import { ModelError } from "../../models/model.ts";
import type { Store } from "../broker/store.ts";
import { KEYS } from "../protocol.ts";
import type { LeaseRequest } from "./limit.ts";
import type { PurseLimits } from "./purse.ts";

const FIRST_LOOK_MS = 50;
const LATEST_LOOK_MS = 1000;
/** A worker that says nothing of a call for so long is dead; the call counts as the worst. */
const LIFE_MS = 30_000;

interface FleetGateOptions {
  store: Store;
  study: string;
  worker: string;
  limits: Limits;
  clock: Clock;
  lifeMs?: number;
}

/**
 * One budget, one count and one pace for the calls of a study's runs on all workers of a queue: the queue's server keeps
 * them. How many calls a provider bears is found by the gate before it, in each worker by itself.
 */
export class FleetGate implements Gate {
  readonly #gate: Gate;
  readonly #options: FleetGateOptions;
  readonly #limits: PurseLimits;
  readonly #pace: Pick<LeaseRequest, "limits">["limits"];
  readonly #lifeMs: number;
  readonly #held = new Set<string>();
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(gate: Gate, options: FleetGateOptions) {
    const { study, lifeMs = LIFE_MS } = options;
    const { costUsd = 0, calls = 0, tokens = 0, callsPerMinute, callsAtOnce } = options.limits;
    this.#gate = gate;
    this.#options = options;
    this.#lifeMs = lifeMs;
    this.#limits = { usd: costUsd, calls, tokens };
    const pace = {
      ...(callsPerMinute !== undefined && { perMinute: callsPerMinute }),
      ...(callsAtOnce !== undefined && { concurrent: callsAtOnce }),
    };
    this.#pace = Object.keys(pace).length > 0 ? [{ label: `calls of ${study}`, ...pace }] : [];
  }

  async admit(call: GateCall): Promise<Ticket> {
    const ticket = await this.#gate.admit(call);
    const holder = `${this.#options.worker}/call/${this.#count++}`;
    this.#held.add(holder);
    this.#timer ??= setInterval(() => this.#renew(), this.#lifeMs / 3).unref();
    const leave = () => {
      this.#held.delete(holder);
      return this.#release(holder);
    };
    try {
      await this.#takePlace(holder, call.signal);
      await this.#reserve(holder, call);
    } catch (error) {
      ticket.settle({ costUsd: 0, result: "failed" });
      await leave();
      throw error;
    }
    return {
      ...ticket,
      settle: (report) => {
        ticket.settle(report);
        const { costUsd, tokens = 0 } = report;
        void this.#purse({ kind: "settle", holder, costUsd, tokens })
          .then(leave)
          .catch(() => {});
      },
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #takePlace(holder: string, signal: AbortSignal): Promise<void> {
    if (this.#pace.length === 0) return;
    const request = { limits: this.#pace, holder, lifeMs: this.#lifeMs };
    for (let lookMs = FIRST_LOOK_MS; ; lookMs *= 2) {
      const { isGranted, waitMs } = await this.#options.store.lease(request);
      if (isGranted) return;
      await this.#wait(waitMs || lookMs, signal);
    }
  }

  async #reserve(holder: string, { worstUsd, signal }: GateCall): Promise<void> {
    const { usd } = this.#limits;
    // A budget of our own says in the same words what is wrong.
    const refuse = (spentUsd: number) => new Budget(usd, { spentUsd }).check(worstUsd);
    if (usd > 0 && worstUsd === null) refuse(0);
    const lifeMs = this.#lifeMs;
    for (let lookMs = FIRST_LOOK_MS; ; lookMs *= 2) {
      const order = {
        kind: "reserve",
        holder,
        worstUsd: worstUsd ?? 0,
        lifeMs,
        limits: this.#limits,
      } as const;
      const { verdict, used } = await this.#purse(order);
      if (verdict === "now") return;
      if (verdict === "usd") refuse(used.usd);
      const reached = verdict === "later" ? undefined : reachedLimit(this.#limits, used);
      if (reached !== undefined) throw new ModelError("budget", reached);
      await this.#wait(lookMs, signal);
    }
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(Math.min(ms, LATEST_LOOK_MS), signal);
    signal.throwIfAborted();
  }

  #purse(order: Parameters<Store["purse"]>[1]) {
    const { store, study } = this.#options;
    return store.purse(KEYS.purse(study), order);
  }

  async #release(holder: string): Promise<void> {
    for (const { label } of this.#pace) await this.#options.store.deleteFields(KEYS.limit(label), [holder]);
  }

  #renew(): void {
    const { store } = this.#options;
    const lifeMs = this.#lifeMs;
    for (const holder of this.#held) {
      void this.#purse({ kind: "renew", holder, lifeMs }).catch(() => {});
      if (this.#pace.length > 0)
        void store.lease({ limits: this.#pace, holder, lifeMs, isRenewal: true }).catch(() => {});
    }
  }
}
