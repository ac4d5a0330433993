import { UserError } from "../core/errors.ts";
import type { FleetView } from "../core/fleet-view.ts";
import { readAddress } from "../fleet/address.ts";
import { type Broker, type FleetQueue, openBroker } from "../fleet/broker/broker.ts";
import { readFleetKey } from "../fleet/fleet-key.ts";
import { type Order, Registry, SILENT_MS, type WorkerRecord } from "../fleet/registry.ts";
import { StudyNotes } from "../fleet/study-notes.ts";
import { viewClasses, viewLimits, viewStudies, viewTroubles, viewWorker } from "../fleet/view.ts";

/** Looks at a fleet, and asks things of its workers. */
export class Fleet implements AsyncDisposable {
  readonly #broker: Broker;
  readonly #registry: Registry;
  readonly #queues = new Map<string, FleetQueue>();

  private constructor(broker: Broker) {
    this.#broker = broker;
    this.#registry = new Registry(broker.store);
  }

  /** At an address, or at the environment's. */
  static async open(queue: string | undefined = process.env.ASSAY_QUEUE): Promise<Fleet> {
    return new Fleet(await openBroker(readAddress(queue), readFleetKey()));
  }

  async view(): Promise<FleetView> {
    const { store, label } = this.#broker;
    const [nowMs, records, notes] = await Promise.all([
      store.nowMs(),
      this.#registry.list(),
      new StudyNotes(store).list(),
    ]);
    const queueOf = (name: string) => this.#queueOf(name);
    const names = new Map(notes.map(({ id, name }) => [id, name]));
    return {
      queue: label,
      nowMs,
      workers: records.map((record) => viewWorker(record, names)),
      classes: await viewClasses(store, queueOf, records),
      studies: await viewStudies(notes, { nowMs, silentMs: SILENT_MS, queueOf }),
      limits: await viewLimits(notes, store),
      troubles: await viewTroubles(store, queueOf, notes),
    };
  }

  /** Asks one worker, by its id or a part of it that no other has, or all; says whom. */
  async order(order: Order, worker?: string): Promise<string[]> {
    const records = (await this.#registry.list()).filter(
      ({ isAlive, state }) => isAlive && state !== "refused",
    );
    if (worker === undefined) {
      await this.#registry.order("*", order);
      return records.map(({ id }) => id);
    }
    const { id } = findWorker(records, worker);
    await this.#registry.order(id, order);
    return [id];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#broker.close();
  }

  #queueOf(name: string): FleetQueue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = this.#broker.queue(name);
    this.#queues.set(name, queue);
    return queue;
  }
}

function findWorker(records: readonly WorkerRecord[], word: string): WorkerRecord {
  const fitting = records.filter(({ id }) => id.includes(word));
  const found = records.find(({ id }) => id === word) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (found) return found;
  throw new UserError(fitting.length > 1 ? `${word} fits several workers` : `no worker is called ${word}`, {
    expected: (fitting.length > 1 ? fitting : records).map(({ id }) => id).join(", ") || "none is there",
    remedy: "`assay fleet` lists them.",
  });
}
