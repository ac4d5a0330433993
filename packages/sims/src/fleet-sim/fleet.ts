import { ln } from "../kernel/portable-math.ts";
import { type Chunk, ChunkRules, makeChunk } from "./chunk.ts";
import * as is from "./events.ts";
import type { FleetParams } from "./index.ts";
import { Fifo, Indexed } from "./queues.ts";
import { type Message, SimWorker } from "./sim-worker.ts";
import { Upkeep } from "./upkeep.ts";
import { COORDINATOR, REDIS, World } from "./world.ts";

const US_PER_HOUR = 3.6e9;

/** A coordinator, a Redis and workers in virtual time, until every run has been recorded. */
export class FleetSimulation {
  readonly world: World;
  readonly upkeep: Upkeep;
  readonly total: number;
  recorded = 0;
  /** What threads were busy with, and how much of it had to be done again. */
  threadUs = 0;
  wastedUs = 0;
  deaths = 0;
  redelivered = 0;
  /** Runs that were sent out and their chunks; runs that were sent back and their messages. */
  published = 0;
  chunks = 0;
  returned = 0;
  messages = 0;
  readonly #params: FleetParams;
  readonly #rules: ChunkRules;
  readonly #workers: SimWorker[];
  readonly #chunks = new Indexed<Chunk>();
  readonly #messages = new Indexed<Message>();
  /** Chunks that anybody may take, and workers that wait for one. */
  readonly #queue = new Fifo<number>();
  readonly #hungry = new Fifo<number>();
  readonly #onEvent: Record<number, (a: number, b: number) => void> = {
    [is.SERVER_ENDS]: (server) => this.#served(this.world.ends(server)),
    [is.ARRIVES]: (index) => this.world.arrives(index),
    [is.CHUNK_ARRIVES]: (chunk, life) => this.#chunkArrives(this.#chunks.at(chunk), life),
    [is.RUN_ENDS]: (chunk, life) => this.#runEnds(chunk, life),
    [is.FLUSH]: (worker, life) => this.#flush(worker, life),
    [is.ACKNOWLEDGED]: (message) => this.#acknowledged(this.#messages.at(message)),
    [is.WORKER_DIES]: (worker) => this.#workerDies(worker),
    [is.WORKER_RETURNS]: (worker) => this.#workerReturns(worker),
    [is.LEASE_ENDS]: (chunk) => this.#leaseEnds(this.#chunks.take(chunk)),
  };
  readonly #onServed: Record<number, (about: number) => void> = {
    [is.PUBLISH]: (about) => {
      const costUs = this.world.redisUs(this.#chunks.at(about).size);
      this.world.send(REDIS, { kind: is.ADD_CHUNK, about, costUs });
    },
    [is.ADD_CHUNK]: (about) => {
      this.#queue.push(about);
      this.#match(2);
    },
    [is.TAKE_CHUNK]: (about) => {
      const { life } = this.#workers[this.#chunks.at(about).worker]!;
      this.world.over(1, is.CHUNK_ARRIVES, about, life);
    },
    [is.FINISH_CHUNK]: (about) => this.#finished(this.#chunks.take(about)),
    [is.ADD_RESULTS]: (about) => this.#resultsAdded(about),
    [is.FETCH_RESULTS]: (about) => {
      this.#reached++;
      const costUs = this.world.coordinatorUs(this.#messages.at(about).runs.length);
      this.world.send(COORDINATOR, { kind: is.RECORD, about, costUs });
    },
    [is.RECORD]: (about) => this.#record(this.#messages.take(about)),
    [is.FINISH_RESULTS]: () => {},
  };
  #lives: number;
  #outstanding = 0;
  /** Chunks that workers have. */
  #underWay = 0;
  /** Messages that reached the coordinator, that it has recorded, and that its turn began with. */
  #reached = 0;
  #done = 0;
  #turn = 0;

  constructor(params: FleetParams, { seed, total }: { seed: number; total: number }) {
    this.#params = params;
    this.total = total;
    this.world = new World(params, seed);
    this.upkeep = new Upkeep(params, this.world, () => ({
      underWay: this.#underWay,
      all: this.#underWay + this.#queue.size,
    }));
    this.#rules = new ChunkRules(params);
    this.#workers = Array.from({ length: params.workers }, (_, life) => new SimWorker(params.jobs, life));
    this.#lives = params.workers;
    for (let worker = 0; worker < params.workers; worker++) {
      this.#ask(worker);
      this.#plotDeath(worker);
    }
    this.#refill();
  }

  /** Chunks that wait for a worker. */
  get queued(): number {
    return this.#queue.size;
  }

  /** Handles events until so many runs are recorded, or so many events are handled; true in the first case. */
  advance({ recorded, most = Number.POSITIVE_INFINITY }: { recorded: number; most?: number }): boolean {
    const { events } = this.world;
    for (let handled = 0; handled < most && this.recorded < recorded; handled++) {
      if (!events.pop()) throw new Error("a simulated fleet stands still with runs left");
      this.world.nowUs = events.key;
      this.#handle(events.type, events.a, events.b);
    }
    return this.recorded >= recorded;
  }

  #handle(type: number, a: number, b: number): void {
    if (!this.upkeep.due(type, a)) this.#onEvent[type]!(a, b);
  }

  #served({ kind, about }: { kind: number; about: number }): void {
    const next = this.#onServed[kind];
    if (next) next(about);
    else this.upkeep.served(kind, about);
  }

  /** Asks for as many runs as the rules allow, and publishes them. */
  #refill(): void {
    const slots = this.#workers.length * this.#params.jobs;
    const room = this.#rules.capacity(slots) - this.#outstanding;
    const runs = Math.min(room, this.total - this.published);
    if (runs <= 0) return;
    this.#outstanding += runs;
    for (const size of this.#rules.split(runs, slots)) {
      this.#publish(makeChunk(this.published, size));
      this.published += size;
    }
  }

  #publish(chunk: Chunk): void {
    this.chunks++;
    chunk.index = this.#chunks.add(chunk);
    const costUs = this.world.coordinatorUs(chunk.size);
    this.world.send(COORDINATOR, { kind: is.PUBLISH, about: chunk.index, costUs }, 0);
  }

  /** Gives chunks to workers that wait; `ways` is what they need to hear of it and to answer. */
  #match(ways: number): void {
    while (this.#queue.size > 0 && this.#hungry.size > 0) {
      const worker = this.#hungry.shift();
      if (this.#workers[worker]!.isDead || this.#workers[worker]!.asked === 0) continue;
      const chunk = this.#chunks.at(this.#queue.shift());
      chunk.worker = worker;
      this.#underWay++;
      const costUs = this.world.redisUs(chunk.size);
      this.world.send(REDIS, { kind: is.TAKE_CHUNK, about: chunk.index, costUs }, ways);
    }
  }

  #ask(index: number): void {
    const worker = this.#workers[index]!;
    while (worker.hunger > 0) {
      worker.asked++;
      this.#hungry.push(index);
    }
  }

  #chunkArrives(chunk: Chunk, life: number): void {
    const worker = this.#workers[chunk.worker]!;
    if (worker.life !== life || worker.isDead) {
      // It died while the chunk was on its way.
      this.#lose(chunk);
      return;
    }
    worker.asked--;
    worker.held.add(chunk);
    chunk.arrivedUs = this.world.nowUs;
    if (worker.running < worker.jobs) this.#beginChunk(chunk, worker);
    else worker.waiting.push(chunk);
  }

  #beginChunk(chunk: Chunk, worker: SimWorker): void {
    worker.running++;
    this.#beginRun(chunk, worker.life);
  }

  #beginRun(chunk: Chunk, life: number): void {
    const { world } = this;
    chunk.begunUs = world.nowUs;
    const takesUs = world.runUs(chunk.firstRun + chunk.begun++) + this.#params.worker_run_us;
    world.later(takesUs, is.RUN_ENDS, chunk.index, life);
  }

  #runEnds(index: number, life: number): void {
    const chunk = this.#chunks.at(index);
    const worker = chunk && this.#workers[chunk.worker];
    if (worker?.life !== life) return;
    this.threadUs += this.world.nowUs - chunk.begunUs;
    chunk.ended++;
    if (worker.results.push(chunk) === 1)
      this.world.later(this.#params.flush_ms * 1000, is.FLUSH, chunk.worker, life);
    if (chunk.begun < chunk.size) this.#beginRun(chunk, life);
    else {
      worker.running--;
      const next = worker.waiting.shift();
      if (next) this.#beginChunk(next, worker);
    }
  }

  #flush(index: number, life: number): void {
    const worker = this.#workers[index]!;
    if (worker.life !== life || worker.results.length === 0) return;
    const runs = worker.results;
    worker.results = [];
    this.messages++;
    this.returned += runs.length;
    const about = this.#messages.add({ runs, worker, life });
    this.world.send(REDIS, { kind: is.ADD_RESULTS, about, costUs: this.world.redisUs(runs.length) });
  }

  /** The worker hears that the queue has its results; the coordinator hears that there are some. */
  #resultsAdded(about: number): void {
    this.world.over(1, is.ACKNOWLEDGED, about);
    const costUs = this.world.redisUs(this.#messages.at(about).runs.length);
    this.world.send(REDIS, { kind: is.FETCH_RESULTS, about, costUs }, 2);
  }

  #acknowledged({ runs, worker, life }: Message): void {
    for (const chunk of runs) {
      chunk.acknowledged++;
      if (worker.life !== life || chunk.acknowledged < chunk.size) continue;
      chunk.isFinishing = true;
      this.world.send(REDIS, { kind: is.FINISH_CHUNK, about: chunk.index, costUs: this.world.redisUs(0) });
    }
  }

  #finished(chunk: Chunk): void {
    this.#underWay--;
    this.#workers[chunk.worker]!.finished(chunk, this.world.nowUs);
    this.#ask(chunk.worker);
    // Who ends a chunk is given the next one with the same answer.
    this.#match(0);
  }

  #record({ runs }: Message): void {
    this.world.send(REDIS, { kind: is.FINISH_RESULTS, about: 0, costUs: this.world.redisUs(0) });
    this.recorded += runs.length;
    this.#outstanding -= runs.length;
    this.#rules.learn(this.#params.run_ms);
    // All that was there when a turn of the event loop began is recorded before new runs are asked for.
    if (++this.#done < this.#turn) return;
    this.#turn = this.#reached;
    this.#refill();
  }

  #workerDies(index: number): void {
    this.deaths++;
    for (const chunk of this.#workers[index]!.dies()) if (!chunk.isFinishing) this.#lose(chunk);
    this.world.later(this.#params.restart_s * 1e6, is.WORKER_RETURNS, index);
  }

  #workerReturns(index: number): void {
    this.#workers[index]!.returns(this.#lives++);
    this.#ask(index);
    this.#match(2);
    this.#plotDeath(index);
  }

  /** A lease was renewed some time in the last half of it; lost chunks are looked for twice a lease. */
  #lose(chunk: Chunk): void {
    const halfDoneUs = chunk.begun > chunk.ended ? this.world.nowUs - chunk.begunUs : 0;
    this.threadUs += halfDoneUs;
    this.wastedUs += halfDoneUs;
    const halfUs = (this.#params.lease_s * 1e6) / 2;
    this.world.later(halfUs * (1 + this.world.draw() + this.world.draw()), is.LEASE_ENDS, chunk.index);
  }

  /** What it had not sent runs again, each run alone. */
  #leaseEnds(chunk: Chunk): void {
    this.#underWay--;
    const unsent = chunk.ended - chunk.acknowledged;
    if (unsent > 0) this.wastedUs += unsent * (this.#params.run_ms * 1000 + this.#params.worker_run_us);
    for (let run = chunk.acknowledged; run < chunk.size; run++) {
      this.redelivered++;
      this.#publish(makeChunk(chunk.firstRun + run, 1));
    }
  }

  #plotDeath(index: number): void {
    const { mtbf_h } = this.#params;
    if (mtbf_h !== null)
      this.world.later(-ln(this.world.draw()) * mtbf_h * US_PER_HOUR, is.WORKER_DIES, index);
  }
}
