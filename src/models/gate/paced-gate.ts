import type { Clock } from "../../core/clock.ts";
import type { Gate, GateCall, Ticket } from "./gate.ts";

/** How fast calls may follow one another. */
export interface Pace {
  /** Calls that may begin within any minute; 0 means no limit. */
  perMinute: number;
  /** Calls that may be under way; 0 means no limit. */
  atOnce: number;
}

const MINUTE_MS = 60_000;

/** Lets calls through one after the other, no faster than it was told, before another gate does. */
export class PacedGate implements Gate {
  readonly #gate: Gate;
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #begun: number[] = [];
  #underWay = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #leave: () => void = () => {};

  constructor(gate: Gate, pace: Pace, clock: Clock) {
    this.#gate = gate;
    this.#pace = pace;
    this.#clock = clock;
  }

  async admit(call: GateCall): Promise<Ticket> {
    const before = this.#turn;
    const mine = before.then(() => this.#wait(call.signal));
    // Whoever gives up must not stop those behind.
    this.#turn = mine.catch(() => {});
    await mine;
    try {
      const ticket = await this.#gate.admit(call);
      return {
        ...ticket,
        settle: (report) => {
          this.#end();
          ticket.settle(report);
        },
      };
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #end(): void {
    this.#underWay--;
    this.#leave();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { perMinute, atOnce } = this.#pace;
    while (atOnce > 0 && this.#underWay >= atOnce) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const go = () => {
          signal.removeEventListener("abort", go);
          resolve();
        };
        this.#leave = go;
        signal.addEventListener("abort", go);
      });
    }
    while (perMinute > 0) {
      signal.throwIfAborted();
      const now = this.#clock.now();
      while (this.#begun.length > 0 && this.#begun[0]! <= now - MINUTE_MS) this.#begun.shift();
      if (this.#begun.length < perMinute) break;
      await this.#clock.sleep(this.#begun[0]! + MINUTE_MS - now, signal);
    }
    signal.throwIfAborted();
    if (perMinute > 0) this.#begun.push(this.#clock.now());
    this.#underWay++;
  }
}
