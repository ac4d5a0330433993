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
