import { atMost } from "../../fleet/broker/at-most.ts";
import type { FleetQueue } from "../../fleet/broker/broker.ts";
import { persist } from "../../fleet/broker/persist.ts";
import type { Store } from "../../fleet/broker/store.ts";
import { KEYS } from "../../fleet/protocol.ts";

const CLOSE_MS = 5000;
/** Longer than a worker may be cut off with a run that should end. */
const ORDER_LIFE_MS = 24 * 3600 * 1000;

/** What is noted beside the queue about chunks and runs, and the changes to it that nobody waits for until the end. */
export class ChunkNotes {
  readonly #queue: FleetQueue;
  readonly #store: Store;
  readonly #study: string;
  readonly #changes = new Set<Promise<unknown>>();

  constructor({ queue, store, study }: { queue: FleetQueue; store: Store; study: string }) {
    this.#queue = queue;
    this.#store = store;
    this.#study = study;
  }

  /** Takes a chunk out of the queue; false where a worker has it. */
  async withdraw(chunk: string): Promise<boolean> {
    const removed = await persist(() => this.#queue.remove(chunk)).catch(() => 0);
    if (removed !== 1) return false;
    this.forget([chunk]);
    return true;
  }

  /** They have nothing outstanding any more. */
  forget(chunks: string[]): void {
    this.later(persist(() => this.#store.deleteFields(KEYS.index(this.#study), chunks)));
  }

  /** Lets workers end these runs, with why. */
  order(ends: Record<string, string>): void {
    this.later(this.#store.setFields(KEYS.cancels(this.#study), ends, { lifeMs: ORDER_LIFE_MS }));
  }

  later(change: Promise<unknown>): void {
    const known = change.catch(() => {}).finally(() => this.#changes.delete(known));
    this.#changes.add(known);
  }

  /** All done, or the server is away: that must not keep a study from ending. */
  async settle(): Promise<void> {
    const all = async () => {
      while (this.#changes.size > 0) await Promise.all(this.#changes);
    };
    await atMost(CLOSE_MS, all());
  }
}

/** Runs that an earlier coordinator had queued, with their try and chunk. */
export type Adopted = Map<string, { attempt: number; chunk: string }>;

export async function readAdopted(store: Store, study: string): Promise<Adopted> {
  const adopted: Adopted = new Map();
  for (const [chunk, text] of Object.entries(await store.fields(KEYS.index(study))))
    for (const [runId, attempt] of JSON.parse(text) as [string, number][])
      adopted.set(runId, { attempt, chunk });
  return adopted;
}

/** A chunk should keep a worker busy for about this long: many times what the queue takes, yet soon done. */
const WANTED_MS = 60;
const MOST_RUNS = 512;
/** What a run with a folder costs beside its own time. */
const FOLDER_MS = 4;

/** How many runs travel together: one while they are long; more, and ever more, while they are short. */
export class ChunkSize {
  readonly #extraMs: number;
  readonly #most: number;
  #size = 1;

  constructor({ hasFolders, isLimited = false }: { hasFolders: boolean; isLimited?: boolean }) {
    // Each run of a limited study needs a place of its own.
    this.#most = isLimited ? 1 : MOST_RUNS;
    this.#extraMs = hasFolders ? FOLDER_MS : 0;
  }

  get now(): number {
    return this.#size;
  }

  /** Takes account of runs that have ended. */
  learn(wallMs: readonly number[]): void {
    if (wallMs.length === 0) return;
    const mean = wallMs.reduce((a, b) => a + b, 0) / wallMs.length + this.#extraMs;
    const fitting = Math.floor(WANTED_MS / Math.max(mean, 1e-6));
    this.#size = Math.max(1, Math.min(fitting, this.#size * 2, this.#most));
  }
}
