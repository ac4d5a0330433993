const FIRST = 4;
const MOST = 64;

/**
 * How many calls a provider bears at once, found out by trying (additive increase, multiplicative decrease; Chiu and
 * Jain 1989): one more for each round of answers that went well, half of it when the provider asks for less.
 */
export class AdaptiveLimit {
  #limit = FIRST;
  /** Calls that began before the last halving say nothing about the limit after it. */
  #era = 0;
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
    return this.#era;
  }

  end(era: number, result: "ok" | "limited" | "failed"): void {
    this.underWay--;
    if (result === "ok") this.#limit = Math.min(MOST, this.#limit + 1 / this.#limit);
    if (result !== "limited" || era !== this.#era) return;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#era++;
  }
}
