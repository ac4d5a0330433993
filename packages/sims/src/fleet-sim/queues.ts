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

/** Things by number, for events that can only carry numbers; the numbers of those that are over are used again. */
export class Indexed<T> {
  readonly #items: (T | undefined)[] = [];
  readonly #free: number[] = [];

  at(index: number): T {
    return this.#items[index]!;
  }

  add(item: T): number {
    const index = this.#free.pop() ?? this.#items.length;
    this.#items[index] = item;
    return index;
  }

  take(index: number): T {
    const item = this.at(index);
    this.#items[index] = undefined;
    this.#free.push(index);
    return item;
  }
}
