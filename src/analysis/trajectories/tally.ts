/** A sum over the files that know it. */
export interface Measured {
  total: number | null;
  mean: number | null;
  known: number;
  unknown: number;
}

export class Tally {
  #total = 0;
  #known = 0;
  #unknown = 0;

  add(value: number | null): void {
    if (value === null) this.#unknown++;
    else {
      this.#known++;
      this.#total += value;
    }
  }

  measured(): Measured {
    const isKnown = this.#known > 0;
    return {
      total: isKnown ? this.#total : null,
      mean: isKnown ? this.#total / this.#known : null,
      known: this.#known,
      unknown: this.#unknown,
    };
  }
}
