const NONE = new Float64Array(0);

/**
 * Quantiles of the last `window` samples, kept sorted: adding costs a binary search and a short move within
 * one small array, reading costs nothing. This is what a scheduler can know; results use all samples.
 */
export class RollingQuantiles {
  readonly #window: number;
  // Most pairs of type and station never meet: they take no memory until their first sample.
  #recent = NONE;
  #sorted = NONE;
  #next = 0;
  count = 0;

  constructor(window: number) {
    this.#window = window;
  }

  add(sample: number): void {
    if (this.#recent === NONE) {
      this.#recent = new Float64Array(this.#window);
      this.#sorted = new Float64Array(this.#window);
    }
    const sorted = this.#sorted;
    let place = this.#position(sample);
    if (this.count < this.#window) {
      sorted.copyWithin(place + 1, place, this.count++);
    } else {
      // The oldest leaves: only what lies between its place and the newcomer's has to move.
      const leaving = this.#position(this.#recent[this.#next]!);
      if (leaving < place) sorted.copyWithin(leaving, leaving + 1, place--);
      else sorted.copyWithin(place + 1, place, leaving);
    }
    sorted[place] = sample;
    this.#recent[this.#next] = sample;
    this.#next = (this.#next + 1) % this.#window;
  }

  /** Nearest rank; `otherwise` while there are no samples. */
  quantile(q: number, otherwise: number): number {
    if (this.count === 0) return otherwise;
    return this.#sorted[Math.max(0, Math.ceil(q * this.count) - 1)]!;
  }

  /** The first position whose sample is not below `value`. */
  #position(value: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
