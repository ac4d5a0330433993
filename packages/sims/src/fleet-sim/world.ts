import { RandomStream } from "assay/plugin";
import { OrderedHeap } from "../kernel/ordered-heap.ts";
import { ln } from "../kernel/portable-math.ts";
import { ARRIVES, SERVER_ENDS } from "./events.ts";
import type { FleetParams } from "./index.ts";
import { Fifo, Indexed } from "./queues.ts";

/** Work that waits for a server: what it is, what it is about, and how long it takes at full speed. */
interface Work {
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

export const COORDINATOR = 0;
export const REDIS = 1;

/** The clock, the events to come, the two servers, the network between them, and chance. */
export class World {
  readonly events = new OrderedHeap(1024);
  readonly servers: readonly [Server, Server];
  readonly #params: FleetParams;
  readonly #onTheWay = new Indexed<Work & { server: number }>();
  readonly #runTimes: RandomStream;
  /** For deaths of workers. */
  readonly draw: () => number;
  nowUs = 0;

  constructor(params: FleetParams, seed: number) {
    this.#params = params;
    this.#runTimes = new RandomStream(seed, "run time");
    this.draw = new RandomStream(seed, "deaths").sequence();
    const stretch = (purpose: string) => {
      if (params.service === "constant") return () => 1;
      const draw = new RandomStream(seed, purpose).sequence();
      return () => -ln(draw());
    };
    this.servers = [new Server(stretch("coordinator")), new Server(stretch("redis"))];
  }

  later(us: number, type: number, a: number, b = 0): void {
    this.events.push(this.nowUs + us, type, a, b);
  }

  /** After so many ways over the network. */
  over(ways: number, type: number, a: number, b = 0): void {
    this.later(ways * this.#params.network_ms * 1000, type, a, b);
  }

  /** Work for a server, so many ways over the network away. */
  send(server: number, work: Work, ways = 1): void {
    if (ways === 0) this.#join(server, work);
    else this.over(ways, ARRIVES, this.#onTheWay.add({ ...work, server }));
  }

  arrives(index: number): void {
    const { server, ...work } = this.#onTheWay.take(index);
    this.#join(server, work);
  }

  /** What a server has done. */
  ends(server: number): Work {
    const { work, nextEndUs } = this.servers[server]!.end(this.nowUs);
    if (nextEndUs !== undefined) this.events.push(nextEndUs, SERVER_ENDS, server, 0);
    return work;
  }

  /** A number depends on the seed and the run alone: arms with the same seed are paired. */
  runUs(run: number): number {
    const { run_ms, run_dist } = this.#params;
    return (run_dist === "constant" ? 1 : -ln(this.#runTimes.uniform(run))) * run_ms * 1000;
  }

  /** A message is added, taken and finished; its runs are written and read. */
  redisUs(runs: number): number {
    return this.#params.redis_message_us / 3 + (runs * this.#params.redis_run_us) / 4;
  }

  /** Half of what a run costs falls to sending it, half to recording it. */
  coordinatorUs(runs: number): number {
    return this.#params.coordinator_message_us + (runs * this.#params.coordinator_run_us) / 2;
  }

  #join(server: number, work: Work): void {
    const endUs = this.servers[server]!.join(work, this.nowUs);
    if (endUs !== undefined) this.events.push(endUs, SERVER_ENDS, server, 0);
  }
}
