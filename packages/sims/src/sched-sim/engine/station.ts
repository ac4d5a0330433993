import { OrderedHeap } from "../../kernel/ordered-heap.ts";
import { LogHistogram } from "../../kernel/statistics.ts";
import type { SimParams } from "../params.ts";
import type { Resource } from "../workflow-graph.ts";

interface StationPlan {
  resource: Resource;
  tierId: number;
  concurrency: number;
  ratePerS?: number | null;
  bucket?: number;
  priceUsd?: number;
  failProb?: number;
  timeoutMs?: number | null;
  speed?: number;
  /** Costs more than the cheapest of its provider. */
  isDearer?: boolean;
}

/** A place with a queue and slots: a tier of a provider, or the machine's workers of one kind. */
export class Station {
  readonly resource: Resource;
  readonly tierId: number;
  /** Workers of the machine: nothing to pay, nothing to choose, nothing to hedge. */
  readonly isLocal: boolean;
  readonly concurrency: number;
  readonly priceUsd: number;
  readonly priceNanoUsd: number;
  readonly failProb: number;
  readonly timeoutUs: number;
  readonly speed: number;
  readonly isDearer: boolean;
  readonly bucket: TokenBucket | null;
  /** Key: -priority; type: lane; a: place of the node; b: ticket. Withdrawn entries stay until they surface. */
  readonly queue = new OrderedHeap();
  readonly freeSlots: number[];
  /** A wake-up for the next token is already among the events. */
  awaitsToken = false;

  waiting = 0;
  inFlight = 0;
  started = 0;
  waitSumUs = 0;
  readonly waits = new LogHistogram();
  /** Integrals over time; Little's law is checked against the sums of single waits and services. */
  queueArea = 0;
  flightArea = 0;
  stayInQueueUs = 0;
  stayInFlightUs = 0;
  #changedUs = 0;

  constructor(plan: StationPlan, firstSlot: number) {
    this.resource = plan.resource;
    this.tierId = plan.tierId;
    this.isLocal = plan.resource === "cpu_workers" || plan.resource === "io_workers";
    this.concurrency = plan.concurrency;
    this.priceUsd = plan.priceUsd ?? 0;
    this.priceNanoUsd = Math.round(this.priceUsd * 1e9);
    this.failProb = plan.failProb ?? 0;
    this.timeoutUs = plan.timeoutMs == null ? Infinity : Math.max(1, Math.round(plan.timeoutMs * 1000));
    this.speed = plan.speed ?? 1;
    this.isDearer = plan.isDearer ?? false;
    this.bucket = plan.ratePerS == null ? null : new TokenBucket(plan.ratePerS, plan.bucket ?? 1);
    this.freeSlots = Array.from({ length: plan.concurrency }, (_, i) => firstSlot + plan.concurrency - 1 - i);
  }

  canStartNow(nowUs: number): boolean {
    return this.waiting === 0 && this.freeSlots.length > 0 && (this.bucket?.readyAtUs() ?? 0) <= nowUs;
  }

  join(nowUs: number): void {
    this.#integrate(nowUs);
    this.waiting++;
  }

  leave(nowUs: number, joinedUs: number): void {
    this.#integrate(nowUs);
    this.waiting--;
    this.stayInQueueUs += nowUs - joinedUs;
  }

  /** Takes a slot and a token for a call that has waited. */
  begin(nowUs: number, waitedUs: number): number {
    this.#integrate(nowUs);
    this.inFlight++;
    this.started++;
    this.waitSumUs += waitedUs;
    this.waits.add(waitedUs);
    this.bucket?.take(nowUs);
    return this.freeSlots.pop()!;
  }

  release(nowUs: number, slot: number, startedUs: number): void {
    this.#integrate(nowUs);
    this.inFlight--;
    this.stayInFlightUs += nowUs - startedUs;
    this.freeSlots.push(slot);
  }

  #integrate(nowUs: number): void {
    const spanUs = nowUs - this.#changedUs;
    this.queueArea += spanUs * this.waiting;
    this.flightArea += spanUs * this.inFlight;
    this.#changedUs = nowUs;
  }
}

/** The tiers, the cheapest of each provider first, then the local workers. Slots are numbered through. */
export function makeStations(params: SimParams): Station[] {
  const tiers = params.tiers.map(
    (tier): StationPlan => ({
      resource: tier.provider,
      tierId: tier.tier_id,
      concurrency: tier.concurrency,
      ratePerS: tier.rate_per_s,
      bucket: tier.bucket,
      priceUsd: tier.price_usd,
      failProb: tier.p_fail,
      timeoutMs: tier.timeout_ms,
      speed: tier.speed,
      isDearer: params.tiers.some((t) => t.provider === tier.provider && t.price_usd < tier.price_usd),
    }),
  );
  tiers.sort(
    (a, b) =>
      Number(a.resource > b.resource) - Number(a.resource < b.resource) ||
      a.priceUsd! - b.priceUsd! ||
      a.tierId - b.tierId,
  );
  const plans: StationPlan[] = [
    ...tiers,
    { resource: "cpu_workers", tierId: 0, concurrency: params.cpu_workers },
    { resource: "io_workers", tierId: 0, concurrency: params.io_workers },
  ];
  let firstSlot = 0;
  return plans.map((plan) => {
    const station = new Station(plan, firstSlot);
    firstSlot += plan.concurrency;
    return station;
  });
}

/**
 * A token bucket that keeps one number instead of a level that drifts: the time at which it will be full
 * again (the virtual scheduling algorithm of ITU-T I.371). In whole microseconds, so it is exact.
 */
export class TokenBucket {
  readonly #intervalUs: number;
  readonly #capacity: number;
  #fullAtUs = 0;

  constructor(ratePerS: number, capacity: number) {
    this.#intervalUs = Math.max(1, Math.round(1e6 / ratePerS));
    this.#capacity = capacity;
  }

  /** The earliest time at which a token is there to take. */
  readyAtUs(): number {
    return this.#fullAtUs - (this.#capacity - 1) * this.#intervalUs;
  }

  /** Takes one token; the caller has waited for `readyAtUs`. */
  take(nowUs: number): void {
    this.#fullAtUs = Math.max(this.#fullAtUs, nowUs) + this.#intervalUs;
  }

  /** Tokens in the bucket, fractions included. */
  level(nowUs: number): number {
    return this.#capacity - Math.max(0, this.#fullAtUs - nowUs) / this.#intervalUs;
  }
}
