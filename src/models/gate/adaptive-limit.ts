const FIRST = 16;
const MOST = 1024;

/**
 * How many calls a provider bears at once, found out by trying (additive increase, multiplicative decrease; Chiu and
 * Jain 1989): two more for each call that it takes until it asks for less for the first time (slow start; Jacobson 1988),
 * one more a round from there, and half of what was under way each time when it does. A provider refuses a call at once, and
 * answers late: a call counts as soon as its answer begins. A limit that nobody comes near teaches nothing, and stays.
 */
export class AdaptiveLimit {
  #limit = FIRST;
  /** Calls that began before the last halving say nothing about the limit after it. */
  #era = 0;
  /** Calls to be taken that tell something: there were many enough when they began. */
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

  /** A provider has taken a call; once for each. */
  accept(): void {
    if (this.#telling-- <= 0) return;
    this.#limit = Math.min(MOST, this.#limit + (this.#era === 0 ? 2 : 1 / this.#limit));
  }

  end(era: number, isRefused: boolean): void {
    const underWay = this.underWay--;
    if (!isRefused || era !== this.#era) return;
    this.#limit = Math.max(1, Math.min(this.#limit, underWay) / 2);
    this.#era++;
  }
}
