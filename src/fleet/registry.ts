import type { Store } from "./broker/store.ts";
import { KEYS } from "./protocol.ts";

/** What a worker says of itself, again every few seconds. */
export interface WorkerRecord {
  id: string;
  host: string;
  pid: number;
  version: string;
  protocol: number;
  cores: number;
  memoryMb: number;
  labels: string[];
  /** Shipped targets that it knows. */
  targets: string[];
  onlyShipped: boolean;
  /** Runs at the same time. */
  jobs: number;
  state: WorkerState;
  /** By the clock of the queue's server. */
  startedAtMs: number;
  seenAtMs: number;
  /** What it runs now; `sinceMs` is the server's time. */
  doing: { study: string; name: string; run: string; sinceMs: number }[];
  done: number;
  failed: number;
  /** Of runs that it ended, in the last minute or since it began. */
  perMinute: number;
  /** Studies that it can't run, with why. */
  lacks: Record<string, string>;
  /** Messages that it refused, newest last. */
  refusals: string[];
  /** Why it takes nothing any more. */
  problem?: string;
}

export type WorkerState = "running" | "paused" | "draining" | "refused";

/** What can be asked of a worker, or of all (`*`). */
export type Order = "pause" | "resume" | "drain";

/** A worker that has not been heard of for so long is taken for dead. */
export const SILENT_MS = 15_000;
const FORGET_MS = 24 * 3600 * 1000;

/** Who is there, and what is asked of them. Anybody may read and write it: it decides nothing about code. */
export class Registry {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async write(record: WorkerRecord): Promise<void> {
    await this.#store.setFields(KEYS.workers, { [record.id]: JSON.stringify(record) });
  }

  async remove(id: string): Promise<void> {
    await this.#store.deleteFields(KEYS.workers, [id]);
    await this.#store.deleteFields(KEYS.orders, [id]);
  }

  /** All that were heard of in the last day, the silent ones too; `isAlive` tells them apart. */
  async list(): Promise<(WorkerRecord & { isAlive: boolean })[]> {
    const [fields, now] = await Promise.all([this.#store.fields(KEYS.workers), this.#store.nowMs()]);
    const records: (WorkerRecord & { isAlive: boolean })[] = [];
    const forgotten: string[] = [];
    for (const [id, text] of Object.entries(fields)) {
      const record = parse<WorkerRecord>(text);
      if (!record || now - record.seenAtMs > FORGET_MS) forgotten.push(id);
      else records.push({ ...record, isAlive: now - record.seenAtMs < SILENT_MS });
    }
    if (forgotten.length > 0) await this.#store.deleteFields(KEYS.workers, forgotten);
    return records.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** How long each other worker had been at a run when it was last heard of, oldest first. */
  async lastWords(worker: string, { study, runId }: { study: string; runId: string }): Promise<number[]> {
    const others = (await this.list()).filter(({ id }) => id !== worker);
    return others
      .sort((a, b) => a.seenAtMs - b.seenAtMs)
      .flatMap(({ doing, seenAtMs }) => {
        const since = doing.find((one) => one.study === study && one.run === runId)?.sinceMs;
        return since === undefined ? [] : [Math.max(0, seenAtMs - since)];
      });
  }

  /** Asks a worker, or all of them (`*`); a newer order replaces the one before. */
  async order(worker: string, order: Order): Promise<void> {
    const atMs = await this.#store.nowMs();
    await this.#store.setFields(KEYS.orders, { [worker]: JSON.stringify({ order, atMs }) });
  }

  /** The newest order that is for a worker since it started. */
  async orderFor(worker: string, sinceMs: number): Promise<Order | undefined> {
    const fields = await this.#store.fields(KEYS.orders);
    const orders = [worker, "*"]
      .map((name) => parse<{ order: Order; atMs: number }>(fields[name] ?? ""))
      // Pausing all holds for workers that come later too; draining ends those that were there.
      .filter((order) => order && (order.order !== "drain" || order.atMs >= sinceMs));
    orders.sort((a, b) => b!.atMs - a!.atMs);
    return orders[0]?.order;
  }
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
