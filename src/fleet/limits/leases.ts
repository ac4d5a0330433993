import type { Store } from "../broker/store.ts";
import { KEYS } from "../protocol.ts";
import type { LeaseRequest, Limit } from "./limit.ts";

/** How long a run may wait here for a place before its chunk goes back. */
const PATIENCE_MS = 400;
const FIRST_LOOK_MS = 20;
/** When a chunk that found no place comes again. */
const SOONEST_MS = 250;
const LATEST_MS = 30_000;

export interface Lease {
  release(): Promise<void>;
}

/**
 * The places that a worker's runs hold under limits of the whole fleet, renewed while they run; those of a worker
 * that died run out.
 *
 * A run that finds none waits a little in its slot, for a place is mostly free again within the time that the queue
 * would take; then its chunk goes back with a delay, and the slot is free for runs of other studies. Only one run a
 * study waits so in each worker: all others go back at once, so that a limited study never holds a worker's slots.
 */
export class Leases {
  readonly #store: Store;
  readonly #worker: string;
  readonly #lifeMs: number;
  readonly #held = new Map<string, { request: LeaseRequest; renewal?: Promise<unknown> }>();
  readonly #waiting = new Set<string>();
  readonly #wakers = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(store: Store, { worker, lifeMs }: { worker: string; lifeMs: number }) {
    this.#store = store;
    this.#worker = worker;
    this.#lifeMs = lifeMs;
  }

  /** A place under all limits, or after how long to come again. */
  async take(study: string, limits: readonly Limit[]): Promise<Lease | { againMs: number }> {
    if (limits.length === 0) return { release: async () => {} };
    const holder = `${this.#worker}/${this.#count++}`;
    const request: LeaseRequest = { limits, holder, lifeMs: this.#lifeMs };
    const mayWait = !this.#waiting.has(study);
    if (mayWait) this.#waiting.add(study);
    try {
      const deadline = performance.now() + PATIENCE_MS;
      for (let lookMs = FIRST_LOOK_MS; ; lookMs *= 2) {
        const { isGranted, waitMs } = await this.#store.lease(request);
        if (isGranted) return this.#hold(request);
        const pauseMs = waitMs || lookMs;
        if (!mayWait || performance.now() + pauseMs > deadline) return { againMs: spread(waitMs) };
        await this.#pause(pauseMs);
      }
    } finally {
      if (mayWait) this.#waiting.delete(study);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #hold(request: LeaseRequest): Lease {
    const { holder, limits } = request;
    this.#held.set(holder, { request });
    this.#timer ??= setInterval(() => this.#renew(), this.#lifeMs / 3);
    return {
      release: async () => {
        const held = this.#held.get(holder);
        this.#held.delete(holder);
        // One that is on its way would take the place again.
        await held?.renewal;
        for (const { label } of limits) await this.#store.deleteFields(KEYS.limit(label), [holder]);
        for (const wake of this.#wakers) wake();
      },
    };
  }

  /** Shorter where a run of this worker gives its place back meanwhile. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wakers.add(wake);
    });
  }

  #renew(): void {
    for (const held of this.#held.values()) {
      held.renewal ??= this.#store
        .lease({ ...held.request, isRenewal: true })
        .catch(() => {})
        .finally(() => {
          delete held.renewal;
        });
    }
  }
}

/** Not all at the same moment. */
function spread(waitMs: number): number {
  return Math.round(Math.min(LATEST_MS, Math.max(SOONEST_MS, waitMs)) * (1 + Math.random() / 2));
}
