import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { availableParallelism, hostname, totalmem } from "node:os";
import { errorText } from "../../core/errors.ts";
import { PROGRAM_VERSION } from "../../host/environment.ts";
import { shippedTargets } from "../../targets/index.ts";
import type { Address } from "../address.ts";
import { atMost } from "../broker/at-most.ts";
import { type Broker, type FleetConsumer, openBroker } from "../broker/broker.ts";
import { isAway } from "../broker/persist.ts";
import { PROTOCOL } from "../envelope.ts";
import { Leases } from "../limits/leases.ts";
import { type Capabilities, lackOf, readClass } from "../needs.ts";
import { KEYS } from "../protocol.ts";
import { Registry, type WorkerRecord, type WorkerState } from "../registry.ts";
import { Slots } from "../slots.ts";
import { ChunkRunner } from "./chunk-runner.ts";
import { RecentRate } from "./recent-rate.ts";
import { Rooms } from "./rooms.ts";
import { openScratch } from "./scratch.ts";
import type { CreateExecutor } from "./study-room.ts";
import { Suspects } from "./suspects.ts";
import { WorkerLog } from "./worker-log.ts";

const BEAT_MS = 1000;
const GOODBYE_MS = 5000;
/** Of the runs under way, in the registry. */
const MOST_SHOWN = 50;

export interface WorkerSettings {
  address: Address;
  key: string;
  jobs: number;
  labels: string[];
  onlyShipped: boolean;
  /** Takes so many runs, then ends. */
  most: number;
  /** Who is silent for so long has lost what it took. */
  leaseMs: number;
  /** Aborts to take nothing more and let what runs finish. */
  stop: AbortSignal;
  /** Aborts to end what runs too; others get it. */
  kill: AbortSignal;
  createExecutor: CreateExecutor;
  /** Is handed what tells how the worker stands, as the registry has it. */
  expose?: (look: () => WorkerRecord) => void;
  say(text: string): void;
}

export interface WorkerSummary {
  id: string;
  done: number;
  failed: number;
  /** Why it ended before it was asked to. */
  problem?: string;
}

/** Takes runs from a queue, until it is asked to end, its count is reached, or it can't go on. */
export async function runWorker(settings: WorkerSettings): Promise<WorkerSummary> {
  const scratch = await openScratch();
  const broker = await openBroker(settings.address, settings.key);
  const worker = new FleetWorker(settings, broker, scratch);
  try {
    return await worker.run();
  } finally {
    await broker.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

class FleetWorker {
  readonly #settings: WorkerSettings;
  readonly #broker: Broker;
  readonly #registry: Registry;
  readonly #log: WorkerLog;
  readonly #slots: Slots;
  readonly #rooms: Rooms;
  readonly #leases: Leases;
  readonly #rate = new RecentRate();
  readonly #runner: ChunkRunner;
  readonly #has: Capabilities;
  readonly #id = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  readonly #consumers = new Map<string, FleetConsumer>();
  readonly #busy = new Map<string, number>();
  #state: WorkerState = "running";
  #startedAtMs = 0;
  /** By so much the server's clock is ahead of this machine's. */
  #skewMs = 0;
  #beating: Promise<void> | undefined;
  #end: () => void = () => {};

  constructor(settings: WorkerSettings, broker: Broker, scratch: string) {
    const { jobs, labels, onlyShipped, key, most, leaseMs, createExecutor, say } = settings;
    this.#settings = settings;
    this.#broker = broker;
    this.#registry = new Registry(broker.store);
    this.#has = {
      cores: availableParallelism(),
      memoryMb: Math.floor(totalmem() / 2 ** 20),
      labels,
      onlyShipped,
      protocol: PROTOCOL,
    };
    this.#slots = new Slots(jobs);
    settings.expose?.(() => this.#record(Date.now() + this.#skewMs));
    const has = this.#has;
    this.#rooms = new Rooms({ broker, key, worker: this.#id, scratch, jobs, has, createExecutor });
    this.#leases = new Leases(broker.store, { worker: this.#id, lifeMs: leaseMs });
    this.#log = new WorkerLog({
      say,
      onProblem: (problem) => {
        say(problem);
        this.#drain("refused");
      },
      onRun: () => {
        if (this.#log.done >= most) this.#drain("draining");
      },
    });
    this.#runner = new ChunkRunner({
      key,
      rooms: this.#rooms,
      slots: this.#slots,
      threads: new Slots(jobs),
      leases: this.#leases,
      log: this.#log,
      suspects: new Suspects(broker.store),
      isTaking: () => this.#state === "running",
      left: () => most - this.#log.done - this.#log.doing.length,
      skewMs: () => this.#skewMs,
      lastWords: (study, runId) => this.#registry.lastWords(this.#id, { study, runId }),
    });
  }

  async run(): Promise<WorkerSummary> {
    const { stop, kill, say } = this.#settings;
    this.#startedAtMs = await this.#broker.store.nowMs();
    const ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    });
    stop.addEventListener("abort", () => this.#drain("draining"), { once: true });
    kill.addEventListener("abort", () => void this.#abort(), { once: true });
    await this.#beat();
    const beat = setInterval(() => void this.#beat(), BEAT_MS);
    say(`worker ${this.#id} waits for runs at ${this.#broker.label}`);
    await ended;
    clearInterval(beat);
    const consumers = [...this.#consumers.values()];
    await atMost(GOODBYE_MS, Promise.all(consumers.map((consumer) => consumer.close())));
    await this.#rooms.close();
    this.#leases.close();
    await atMost(GOODBYE_MS, this.#sayGoodbye());
    const { done, failed, problem } = this.#log;
    return { id: this.#id, done, failed, ...(problem !== undefined && { problem }) };
  }

  /** One that was refused stays to be seen for a while, with why. */
  async #sayGoodbye(): Promise<void> {
    // One that is on its way would bring the record back.
    await this.#beating;
    if (this.#state === "refused") await this.#registry.write(this.#record(await this.#broker.store.nowMs()));
    else await this.#registry.remove(this.#id);
  }

  /** One at a time: a server may take longer than until the next one is due. */
  #beat(): Promise<void> {
    this.#beating ??= this.#sayAndHear().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** Says that it lives, and hears what is asked. A server that is away is no reason to end. */
  async #sayAndHear(): Promise<void> {
    try {
      const { store } = this.#broker;
      const nowMs = await store.nowMs();
      await this.#registry.write(this.#record(nowMs));
      await this.#obey();
      await this.#join(await store.fields(KEYS.classes), nowMs);
      for (const { study, room } of await this.#rooms.opened()) {
        for (const [run, reason] of Object.entries(await store.fields(KEYS.cancels(study))))
          room.cancel(run, { status: "cancelled", reason });
      }
      await this.#rooms.closeIdle();
    } catch (error) {
      if (!isAway(error)) this.#log.fails(`the queue refuses this worker: ${errorText(error)}`);
    }
  }

  async #obey(): Promise<void> {
    const order = await this.#registry.orderFor(this.#id, this.#startedAtMs);
    if (order === "drain") this.#drain("draining");
    if (order === "pause" && this.#state === "running") {
      this.#state = "paused";
      for (const consumer of this.#consumers.values()) await consumer.pause(true);
    }
    if (order === "resume" && this.#state === "paused") {
      this.#state = "running";
      for (const consumer of this.#consumers.values()) await consumer.resume();
    }
  }

  /** Takes from every queue whose needs this worker meets; one that no study has used for long is left. */
  async #join(classes: Record<string, string>, nowMs: number): Promise<void> {
    for (const [name, text] of Object.entries(classes)) {
      const { needs, isForgotten } = readClass(text, nowMs);
      if (isForgotten) await this.#leave(name);
      if (isForgotten || this.#consumers.has(name) || this.#state !== "running") continue;
      if (lackOf(needs, this.#has) !== undefined) continue;
      const take: Parameters<Broker["consume"]>[1] = async (job, token) => {
        this.#count(name, 1);
        try {
          await this.#runner.take(job, token);
        } finally {
          this.#count(name, -1);
          this.#slots.limit = this.#limit;
          if (this.#isOver) this.#end();
        }
      };
      const consumer = this.#broker.consume(name, take, {
        concurrency: this.#limit,
        leaseMs: this.#settings.leaseMs,
      });
      this.#consumers.set(name, consumer);
    }
  }

  async #leave(name: string): Promise<void> {
    await this.#broker.store.deleteFields(KEYS.classes, [name]);
    const consumer = this.#consumers.get(name);
    this.#consumers.delete(name);
    void consumer?.close().catch(() => {});
  }

  /** Short chunks are fetched before there is a thread for them, so that none waits for the network. */
  get #limit(): number {
    return this.#log.isShort ? 2 * this.#settings.jobs : this.#settings.jobs;
  }

  /** A queue may give as many chunks as there are slots left, or one that waits for a slot and goes back. */
  #count(name: string, change: number): void {
    this.#busy.set(name, (this.#busy.get(name) ?? 0) + change);
    const taken = [...this.#busy.values()].reduce((a, b) => a + b, 0);
    const free = Math.max(0, this.#limit - taken);
    for (const [other, consumer] of this.#consumers)
      consumer.concurrency = Math.max(1, (this.#busy.get(other) ?? 0) + free);
  }

  get #isOver(): boolean {
    const isEnding = this.#state === "draining" || this.#state === "refused";
    return isEnding && [...this.#busy.values()].every((count) => count === 0);
  }

  #drain(state: "draining" | "refused"): void {
    if (this.#state === "draining" || this.#state === "refused") return;
    this.#state = state;
    for (const consumer of this.#consumers.values()) void consumer.pause(true);
    if (this.#isOver) this.#end();
  }

  async #abort(): Promise<void> {
    this.#drain("draining");
    for (const { room } of await this.#rooms.opened()) room.abort(this.#settings.kill.reason);
  }

  #record(nowMs: number): WorkerRecord {
    const { jobs } = this.#settings;
    this.#skewMs = nowMs - Date.now();
    const { doing, done, failed, lackOf: lacks, refusals, problem } = this.#log;
    return {
      id: this.#id,
      host: hostname(),
      pid: process.pid,
      version: PROGRAM_VERSION,
      ...this.#has,
      targets: Object.keys(shippedTargets),
      jobs,
      state: this.#state,
      startedAtMs: this.#startedAtMs,
      seenAtMs: nowMs,
      doing: doing.slice(0, MOST_SHOWN).map((one) => ({ ...one, sinceMs: one.sinceMs + this.#skewMs })),
      done,
      failed,
      perMinute: this.#rate.perMinute(done, nowMs),
      lacks,
      refusals,
      ...(problem !== undefined && { problem }),
    };
  }
}
