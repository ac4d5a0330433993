const FIRST = 4;
const MOST = 1024;

/**
 * How many calls a provider bears at once, found out by trying (additive increase, multiplicative decrease; Chiu and
 * Jain 1989): twice as many for each round of answers that went well until the provider asks for less for the first time
 * (slow start; Jacobson 1988), one more a round from there, and half of it each time when it does. A limit that nobody
 * comes near teaches nothing, and stays.
 */
export class AdaptiveLimit {
  #limit = FIRST;
  /** Calls that began before the last halving say nothing about the limit after it. */
  #era = 0;
  /** Answers to come that tell something: of calls that were many enough. */
  #telling = 0;
  underWay = 0;
  pausedUntilMs = 0;

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get hasRoom(): boolean {
    return this.underWay < this.limit;
  }

  begin(): number {
    this.underWay++;
    if (2 * this.underWay >= this.#limit) this.#telling = this.underWay;
    return this.#era;
  }

  end(era: number, result: "ok" | "limited" | "failed"): void {
    this.underWay--;
    if (result === "ok" && this.#telling-- > 0)
      this.#limit = Math.min(MOST, this.#limit + (this.#era === 0 ? 1 : 1 / this.#limit));
    if (result !== "limited" || era !== this.#era) return;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#era++;
  }
}
