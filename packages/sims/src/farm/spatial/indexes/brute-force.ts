import { NearestList, type Points, type SpatialIndex } from "../spatial-index.ts";

/** Looks at every agent: what the others must agree with, and beat. */
export class BruteForce implements SpatialIndex {
  readonly #nearest = new NearestList();
  #x = new Float64Array(0);
  #y = new Float64Array(0);

  build({ x, y }: Points): void {
    this.#x = x.slice();
    this.#y = y.slice();
  }

  update(moved: Uint32Array, { x, y }: Points): void {
    for (const agent of moved) {
      this.#x[agent] = x[agent]!;
      this.#y[agent] = y[agent]!;
    }
  }

  range(x: number, y: number, radius: number, out: Uint32Array): number {
    const limit = radius * radius;
    let found = 0;
    for (let agent = 0; agent < this.#x.length; agent++) {
      const dx = this.#x[agent]! - x;
      const dy = this.#y[agent]! - y;
      if (dx * dx + dy * dy <= limit) out[found++] = agent;
    }
    return found;
  }

  nearest(x: number, y: number, count: number, out: Uint32Array): number {
    const list = this.#nearest.begin(x, y, count, out);
    for (let agent = 0; agent < this.#x.length; agent++) {
      list.see(agent, this.#x[agent]!, this.#y[agent]!);
    }
    return list.size;
  }

  bytes(): number {
    return this.#x.byteLength + this.#y.byteLength;
  }
}
