/** A number of places, handed out in the order in which they are asked for. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #busy = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get busy(): number {
    return this.#busy;
  }

  get free(): number {
    return Math.max(0, this.#limit - this.#busy);
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#serve();
  }

  /** A slot, at once or within the time; false when there was none. */
  take(patienceMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#busy < this.#limit) {
      this.#busy++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const give = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(give), 1);
        resolve(false);
      };
      const timer = Number.isFinite(patienceMs) ? setTimeout(leave, patienceMs) : undefined;
      this.#waiting.push(give);
    });
  }

  release(): void {
    this.#busy--;
    this.#serve();
  }

  #serve(): void {
    while (this.#busy < this.#limit && this.#waiting.length > 0) {
      this.#busy++;
      this.#waiting.shift()!();
    }
  }
}
