/** Positions of agents: agent i is at (x[i], y[i]). */
export interface Points {
  x: Float64Array;
  y: Float64Array;
}

/**
 * Finds agents by place. All answers are exact: a distance counts as `dx * dx + dy * dy` in double precision, and
 * whoever stands on the edge of a circle is inside. An index keeps its own copy of what it needs, so the caller may
 * change the points; the index learns of it by `update`. `out` must have room for every answer, and what is written
 * to it stands until the next query.
 */
export interface SpatialIndex {
  /** Forgets what was there and takes these points. */
  build(points: Points): void;
  /** `points` as they are now, of which only those in `moved` (each once) are elsewhere than before. */
  update(moved: Uint32Array, points: Points): void;
  /** Writes the agents within `radius`, in any order, and returns how many. */
  range(x: number, y: number, radius: number, out: Uint32Array): number;
  /** Writes the `count` nearest agents, nearest first and the lower number first among equals; returns how many. */
  nearest(x: number, y: number, count: number, out: Uint32Array): number;
  /** What the index holds: exact where it is made of buffers, an estimate where it is made of objects. */
  bytes(): number;
}

/** The square of anything below is 0, so that even a radius of 0 reaches it. */
const TINY = 2 ** -500;

/**
 * A radius that is surely wide enough to look for candidates in, in spite of rounding: an agent on the very edge of
 * the circle may stand a rounding error outside of the box around it.
 */
export function safeRadius(x: number, y: number, radius: number): number {
  return radius + (Math.abs(x) + Math.abs(y) + radius) * 2 ** -50 + TINY;
}

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
