/** Collects values under names and gives the mean of each. */
export class MeanBy {
  readonly #sums = new Map<string, { sum: number; count: number }>();

  add(name: string, value: number): void {
    const entry = this.#sums.get(name) ?? { sum: 0, count: 0 };
    entry.sum += value;
    entry.count++;
    this.#sums.set(name, entry);
  }

  /** In the order in which the names first came. */
  means(): Record<string, number> {
    return Object.fromEntries([...this.#sums].map(([name, { sum, count }]) => [name, sum / count]));
  }
}
