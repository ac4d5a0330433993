import type { Broker, FleetQueue } from "../../fleet/broker/broker.ts";
import { persist } from "../../fleet/broker/persist.ts";
import { seal } from "../../fleet/envelope.ts";
import { classOf } from "../../fleet/needs.ts";
import { type ChunkMessage, KEYS } from "../../fleet/protocol.ts";
import type { Outstanding, OutstandingRuns } from "./outstanding.ts";
import type { Publisher } from "./publisher.ts";

/** BullMQ takes the lowest number first; a study says the highest. */
const LOWEST = 1001;
const KEPT_FAILURES = { count: 1000, age: 7 * 24 * 3600 };

interface OutboxOptions {
  broker: Broker;
  key: string;
  study: string;
  launch: string;
  priority: number;
  publisher: Publisher;
  outstanding: OutstandingRuns;
  /** Runs that travel together now. */
  size(): number;
  /** Runs that the fleet does at the same time: what waits is spread over them. */
  slots(): number;
  onError(error: unknown): void;
}

/** Makes chunks of runs, signs them and queues them, with a note of which runs are in which. */
export class Outbox {
  readonly queue: FleetQueue;
  readonly #options: OutboxOptions;
  #waiting: Outstanding[] = [];
  #count = 0;
  #isScheduled = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.queue = options.broker.queue(classOf(options.publisher.needs));
  }

  push(one: Outstanding): void {
    this.#waiting.push(one);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Runs that are asked for in one turn travel together.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  /** Queues each of them alone, before all others. */
  pushSingles(runs: readonly Outstanding[]): void {
    if (runs.length > 0) this.#send(runs.map((one) => [one]));
  }

  /** Takes back what has not been queued yet. */
  takeBack(): Outstanding[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  takeBackRun(runId: string): Outstanding | undefined {
    const index = this.#waiting.findIndex(({ job }) => job.run.id === runId);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #flush(): void {
    const waiting = this.takeBack();
    const share = Math.ceil(waiting.length / this.#options.slots());
    const size = Math.max(1, Math.min(this.#options.size(), share));
    const chunks: Outstanding[][] = [];
    for (let i = 0; i < waiting.length; i += size) chunks.push(waiting.slice(i, i + size));
    if (chunks.length > 0) this.#send(chunks);
  }

  #send(chunks: Outstanding[][]): void {
    const { outstanding, onError } = this.#options;
    const named = chunks.map((runs) => {
      const id = `${this.#options.study}-${this.#options.launch}-${this.#count++}`;
      outstanding.assign(id, runs);
      return { id, runs };
    });
    this.#add(named).catch(onError);
  }

  async #add(chunks: { id: string; runs: Outstanding[] }[]): Promise<void> {
    const { broker, key, study, launch, priority, publisher, outstanding } = this.#options;
    const setting = await publisher.hashFor(chunks.flatMap(({ runs }) => runs.map(({ job }) => job.run)));
    const index: Record<string, string> = {};
    const jobs = chunks.map(({ id, runs }) => {
      index[id] = JSON.stringify(runs.map(({ job }) => [job.run.id, job.attempt]));
      const contents = publisher.contentsOf(runs.map(({ job }) => job.run));
      const chunk: ChunkMessage = {
        id,
        setting,
        launch,
        jobs: runs.map(({ job }) => job),
        ...(contents && { contents }),
      };
      const opts = {
        jobId: id,
        priority: LOWEST - priority,
        removeOnComplete: true,
        removeOnFail: KEPT_FAILURES,
      };
      return { name: "chunk", data: seal("chunk", chunk, { key, study, what: whatOf(chunk) }), opts };
    });
    // The note comes first: a chunk that is noted and not queued is found missing, the other way round it runs twice.
    await persist(() => broker.store.setFields(KEYS.index(study), index));
    await persist(() => this.queue.addBulk(jobs));
    outstanding.noteQueued(chunks.map(({ id }) => id));
  }
}

function whatOf({ jobs: [first, ...others] }: ChunkMessage): string {
  return others.length > 0 ? `${first!.run.id} and ${others.length} more` : first!.run.id;
}
