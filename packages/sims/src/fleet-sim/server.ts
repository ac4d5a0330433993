import { Fifo } from "./fifo.ts";

/** Work that waits for a server: what it is, what it is about, and how long it takes at full speed. */
export interface Work {
  kind: number;
  about: number;
  costUs: number;
}

/** One thread that does one thing after the other: the coordinator's, or that of Redis. */
export class Server {
  readonly #stretch: () => number;
  readonly #queue = new Fifo<Work & { joinedUs: number }>();
  #current: (Work & { joinedUs: number }) | undefined;
  #changedUs = 0;
  busyUs = 0;
  done = 0;
  waitSumUs = 0;
  staySumUs = 0;
  /** Work here, waiting or served, over time: Little's law ties it to `staySumUs`. */
  presentArea = 0;

  /** `stretch` gives what a cost is multiplied by: 1, or a number drawn with mean 1. */
  constructor(stretch: () => number) {
    this.#stretch = stretch;
  }

  get present(): number {
    return this.#queue.size + (this.#current ? 1 : 0);
  }

  /** When the work that begins now will be over; undefined when the server is busy and it waits. */
  join(work: Work, nowUs: number): number | undefined {
    this.#integrate(nowUs);
    this.#queue.push({ ...work, joinedUs: nowUs });
    return this.#current ? undefined : this.#begin(nowUs);
  }

  /** Ends the current work; says when the next one will be over. */
  end(nowUs: number): { work: Work; nextEndUs: number | undefined } {
    this.#integrate(nowUs);
    const work = this.#current!;
    this.#current = undefined;
    this.done++;
    this.staySumUs += nowUs - work.joinedUs;
    return { work, nextEndUs: this.#queue.size > 0 ? this.#begin(nowUs) : undefined };
  }

  #begin(nowUs: number): number {
    const work = this.#queue.shift();
    this.#current = work;
    this.waitSumUs += nowUs - work.joinedUs;
    const serviceUs = work.costUs * this.#stretch();
    this.busyUs += serviceUs;
    return nowUs + serviceUs;
  }

  #integrate(nowUs: number): void {
    this.presentArea += (nowUs - this.#changedUs) * this.present;
    this.#changedUs = nowUs;
  }
}
