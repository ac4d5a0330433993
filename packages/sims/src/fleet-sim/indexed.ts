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
