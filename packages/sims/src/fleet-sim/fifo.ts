const SMALL = 4096;

/** Items that leave in the order in which they came. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** The caller has made sure that there is one. */
  shift(): T {
    const item = this.#items[this.#head++]!;
    if (this.#head > SMALL && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
