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
