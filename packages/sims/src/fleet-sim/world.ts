import { RandomStream } from "assay/plugin";
import { OrderedHeap } from "../sched-sim/kernel/ordered-heap.ts";
import { ln } from "../sched-sim/kernel/portable-math.ts";
import { ARRIVES, SERVER_ENDS } from "./event-type.ts";
import { Indexed } from "./indexed.ts";
import type { FleetParams } from "./params.ts";
import { Server, type Work } from "./server.ts";

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
