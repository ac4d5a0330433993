/** The nearest agents seen so far, in order: by squared distance, then by number. */
export class NearestList {
  /** Whoever is farther than this is not among them. */
  limit = 0;
  #x = 0;
  #y = 0;
  #out: Uint32Array = new Uint32Array(0);
  #count = 0;
  #size = 0;
  #distances = new Float64Array(0);

  /** Starts over, to hold in `out` the `count` that are nearest to a place. */
  begin(x: number, y: number, count: number, out: Uint32Array): this {
    this.#x = x;
    this.#y = y;
    if (this.#distances.length < count) this.#distances = new Float64Array(count);
    this.#out = out;
    this.#count = count;
    this.#size = 0;
    this.limit = count > 0 ? Number.POSITIVE_INFINITY : -1;
    return this;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes note of an agent and where it is. */
  see(agent: number, x: number, y: number): void {
    const dx = x - this.#x;
    const dy = y - this.#y;
    const squaredDistance = dx * dx + dy * dy;
    if (squaredDistance > this.limit) return;
    const out = this.#out;
    const distances = this.#distances;
    let at = this.#size;
    if (at === this.#count) {
      if (squaredDistance === this.limit && agent > out[at - 1]!) return;
      at--;
    } else this.#size++;
    for (; at > 0; at--) {
      const before = distances[at - 1]!;
      if (before < squaredDistance || (before === squaredDistance && out[at - 1]! < agent)) break;
      distances[at] = before;
      out[at] = out[at - 1]!;
    }
    distances[at] = squaredDistance;
    out[at] = agent;
    if (this.#size === this.#count) this.limit = distances[this.#count - 1]!;
  }
}

/** The square of how far a box is from a place: 0 inside. */
export function squaredDistanceToBox(
  x: number,
  y: number,
  box: { minX: number; minY: number; maxX: number; maxY: number },
): number {
  const dx = x < box.minX ? box.minX - x : x > box.maxX ? x - box.maxX : 0;
  const dy = y < box.minY ? box.minY - y : y > box.maxY ? y - box.maxY : 0;
  return dx * dx + dy * dy;
}
